import { readFileSync } from 'node:fs';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { buildSchema, execute, GraphQLError, parse, validate } from 'graphql';
import { onTestFinished } from 'vitest';

export const SCHEMA = buildSchema(
  readFileSync(path.join(import.meta.dirname, '../fixtures/linear/schema.graphql'), 'utf8'),
);
export const KEY = 'lin_api_test';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Before anything is done, after it, or in the place of an answer. */
export type Fault = 'drop' | 'late' | 'limited' | 'broken' | 'nonsense' | undefined;

interface Issue {
  id: string;
  identifier: string;
  title: string;
  description?: string;
  url: string;
  team: string;
  state: string;
  labels: string[];
  parent?: string;
}

type Filter = { id?: { in?: string[] }; name?: { eqIgnoreCase?: string } };
type Filtered = { filter?: Filter };

/** @returns an environment that leads there */
export async function answering(answer: RequestListener) {
  const server = createServer(answer);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
  return { LINEAR_API_KEY: KEY, BEN10_LINEAR_URL: url };
}

/** A Linear in memory that answers by Linear's own schema, and does what it is told as Linear does. */
export class Linear {
  readonly issues: Issue[] = [];
  readonly comments: { id: string; issue: string; body: string }[] = [];
  readonly labels: { id: string; name: string; team: string | null }[] = [];
  readonly attachments: { issue: string; url: string; title: string }[] = [];
  readonly states = [
    { id: 's-back', name: 'Backlog', type: 'backlog', position: 0 },
    { id: 's-todo', name: 'Todo', type: 'unstarted', position: 1 },
    { id: 's-review', name: 'In Review', type: 'started', position: 3 },
    { id: 's-doing', name: 'In Progress', type: 'started', position: 2 },
    { id: 's-done', name: 'Done', type: 'completed', position: 4 },
  ];
  /** What changed, in order; the same twice is an error of who tells it. */
  readonly changes: string[] = [];
  /** What was asked. */
  readonly asked: string[] = [];
  key = KEY;
  url = '';
  /** Of the next request. */
  fault: () => Fault = () => undefined;

  issue(identifier: string, state = 's-todo', team = 'ENG'): Issue {
    const url = `https://linear.app/acme/issue/${identifier}/slug`;
    const title = `Title of ${identifier}`;
    const made = { id: `id-${identifier}`, identifier, title, url, team, state, labels: [] };
    this.issues.push(made);
    return made;
  }

  /** @returns its address */
  async listen(): Promise<this> {
    const env = await answering((request, response) => void this.#answer(request, response));
    this.url = env.BEN10_LINEAR_URL;
    return this;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const end = (status: number, answer: object, headers: Record<string, string> = {}) => {
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
      response.end(JSON.stringify(answer));
    };
    const failed = (message: string, code: string) => ({
      errors: [{ message, extensions: { code } }],
    });
    if (request.headers.authorization !== this.key)
      return end(401, failed('Authentication required', 'AUTHENTICATION_ERROR'));
    const fault = this.fault();
    if (fault === 'drop') return void request.socket.destroy();
    if (fault === 'limited')
      return end(429, failed('Rate limit exceeded', 'RATELIMITED'), { 'retry-after': '90' });
    if (fault === 'broken') return end(500, failed('Internal server error', 'INTERNAL'));
    if (fault === 'nonsense') return void response.writeHead(200).end('<html>');
    const { query, variables } = JSON.parse(Buffer.concat(chunks).toString()) as {
      query: string;
      variables: Record<string, unknown>;
    };
    const document = parse(query);
    const errors = validate(SCHEMA, document);
    if (errors.length > 0) return end(400, { errors });
    this.asked.push(/\w+ (\w+)/.exec(query)![1]!);
    const rootValue = this.#root();
    const result = await execute({
      schema: SCHEMA,
      document,
      variableValues: variables,
      rootValue,
    });
    if (fault === 'late') return void request.socket.destroy();
    end(200, result);
  }

  #change(what: string): { success: true; lastSyncId: number } {
    this.changes.push(what);
    return { success: true, lastSyncId: this.changes.length };
  }

  #find(id: string): Issue {
    const found = this.issues.find((one) => one.id === id || one.identifier === id);
    if (found === undefined) throw new GraphQLError('Entity not found: Issue');
    return found;
  }

  #view(issue: Issue): object {
    const { id, team, state } = issue;
    const nodes = <T extends object>(all: T[]) => ({ nodes: all });
    return {
      ...issue,
      state: this.states.find((one) => one.id === state),
      team: { id: team, states: () => nodes(this.states) },
      labels: ({ filter }: Filtered) =>
        nodes(matching(this.labels, filter).filter((one) => issue.labels.includes(one.id))),
      comments: ({ filter }: Filtered) =>
        nodes(matching(this.comments, filter).filter((one) => one.issue === id)),
      children: ({ filter }: Filtered) =>
        nodes(matching(this.issues, filter).filter((one) => one.parent === id)),
    };
  }

  #root(): object {
    return {
      issue: ({ id }: { id: string }) => this.#view(this.#find(id)),
      issueLabels: ({ filter }: Filtered) => ({
        nodes: matching(this.labels, filter).map((one) => ({
          ...one,
          team: one.team === null ? null : { id: one.team },
        })),
      }),
      commentCreate: ({ input }: { input: { id: string; issueId: string; body: string } }) => {
        this.#mayBe(input.id, this.comments);
        const { id: issue } = this.#find(input.issueId);
        this.comments.push({ id: input.id, issue, body: input.body });
        return this.#change(`comment ${input.id}`);
      },
      commentUpdate: ({ id, input }: { id: string; input: { body: string } }) => {
        const found = this.comments.find((one) => one.id === id);
        if (found === undefined) throw new GraphQLError('Entity not found: Comment');
        found.body = input.body;
        return { success: true, lastSyncId: 0 };
      },
      issueLabelCreate: ({ input }: { input: { id: string; name: string; teamId: string } }) => {
        this.#mayBe(input.id, this.labels);
        this.labels.push({ id: input.id, name: input.name, team: input.teamId });
        return this.#change(`label ${input.name} of ${input.teamId}`);
      },
      issueUpdate: ({
        id,
        input,
      }: {
        id: string;
        input: { stateId?: string; addedLabelIds?: string[] };
      }) => {
        const found = this.#find(id);
        for (const label of input.addedLabelIds ?? []) {
          this.changes.push(`${found.identifier} has ${label}`);
          found.labels.push(label);
        }
        if (input.stateId === undefined) return { success: true, lastSyncId: 0 };
        found.state = input.stateId;
        return this.#change(`${found.identifier} is ${input.stateId}`);
      },
      attachmentCreate: ({ input }: { input: { issueId: string; url: string; title: string } }) => {
        const { id: issue } = this.#find(input.issueId);
        // A known url is changed.
        if (this.attachments.some((one) => one.url === input.url && one.issue === issue))
          return { success: true, lastSyncId: 0 };
        this.attachments.push({ issue, url: input.url, title: input.title });
        return this.#change(`attachment ${input.url}`);
      },
      issueCreate: ({ input }: { input: Record<string, string> }) => {
        this.#mayBe(input.id!, this.issues);
        const made = this.issue(`ENG-${900 + this.issues.length}`, 's-back', input.teamId);
        const { id, title, description, parentId: parent } = input as Record<string, string>;
        Object.assign(made, { id, title, description, parent });
        return { ...this.#change(`issue ${id}`), issue: this.#view(made) };
      },
    };
  }

  #mayBe(id: string, all: readonly { id: string }[]): void {
    if (!UUID.test(id)) throw new GraphQLError('id must be a UUID');
    if (all.some((one) => one.id === id)) throw new GraphQLError('conflict on insert');
  }
}

const matching = <T extends { id: string; name?: string }>(all: readonly T[], filter?: Filter) =>
  all.filter(
    ({ id, name }) =>
      filter?.id?.in?.includes(id) !== false &&
      (filter?.name?.eqIgnoreCase === undefined ||
        filter.name.eqIgnoreCase.toLowerCase() === name?.toLowerCase()),
  );
