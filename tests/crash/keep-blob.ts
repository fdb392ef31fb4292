import { putBlob } from '../../src/journal/append/blobs.ts';
import { layoutOf } from '../../src/journal/format/layout.ts';
import { readManifest } from '../../src/journal/format/manifest.ts';
import type { JournalPorts } from '../../src/journal/format/ports.ts';

/** Keeps bytes beside the journal and returns their name; undefined as long as the journal has no manifest. */
export function keepBlob(ports: JournalPorts, root: string, bytes: Buffer): string | undefined {
  const layout = layoutOf(root);
  const manifest = readManifest(ports, layout);
  return manifest && putBlob(ports, layout, manifest.blobKey, bytes);
}
