import { connect } from 'node:net';
import type { Device, Unseen } from '../context.ts';
import {
  type Around,
  type Collector,
  ENDED_MS,
  inTime,
  lastLook,
  withUnseen,
} from './collector.ts';

const SERIAL_CHARS = 60;
const STATE_CHARS = 30;
const ADB_PORT = 5037;
/** A local port answers at once; only this process may be late. */
const CONNECT_MS = 500;

/** Devices of adb and fastboot. */
export const devices: Collector<Device & Unseen> = {
  timeoutMs: ENDED_MS,
  async collect(given) {
    const around = inTime(given);
    const [ofAdb, ofFastboot] = await Promise.all([adb(around), fastboot(around)]);
    const found = [...(ofAdb ?? []), ...(ofFastboot ?? [])];
    const answers = { adb: ofAdb, fastboot: ofFastboot };
    const serials = new Set(found.map(({ serial }) => serial));
    // Of a program that does not answer now, except those that the other one has.
    const unseen = lastLook(around).devices.filter(
      ({ type, serial }) => answers[type] === undefined && !serials.has(serial),
    );
    return withUnseen(found, unseen) ?? ((ofAdb ?? ofFastboot) ? [] : undefined);
  },
};

/** Asks only a server that runs: without one the client would start a daemon. */
async function adb(around: Around): Promise<Device[] | undefined> {
  const port = Number(around.env.ANDROID_ADB_SERVER_PORT) || ADB_PORT;
  if (!(await listens(port))) return undefined;
  const text = await around.run('adb', ['devices'], around.dir);
  return text === undefined ? undefined : parseDevices(text, 'adb', around);
}

async function fastboot(around: Around): Promise<Device[] | undefined> {
  const text = await around.run('fastboot', ['devices'], around.dir);
  return text === undefined ? undefined : parseDevices(text, 'fastboot', around);
}

/** @param text one device a line: serial, tab, state */
export function parseDevices(
  text: string,
  type: Device['type'],
  { clean }: Pick<Around, 'clean'>,
): Device[] {
  return text.split('\n').flatMap((line) => {
    const [, serial, state] = /^(\S+)\t+([^\t]+?)\s*$/.exec(line) ?? [];
    if (serial === undefined || state === undefined) return [];
    return [{ serial: clean(serial, SERIAL_CHARS), state: clean(state, STATE_CHARS), type }];
  });
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: CONNECT_MS });
    const end = (is: boolean) => {
      socket.destroy();
      resolve(is);
    };
    socket.on('connect', () => end(true));
    socket.on('timeout', () => end(false));
    socket.on('error', () => end(false));
  });
}
