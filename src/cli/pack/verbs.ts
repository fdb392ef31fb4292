/** The verbs of `ben10 pack`, in the order of its help. */
export const PACK_VERBS = {
  create: async () => (await import('./create.ts')).PackCreateCommand,
  set: async () => (await import('./set.ts')).PackSetCommand,
  copy: async () => (await import('./copy.ts')).PackCopyCommand,
  delete: async () => (await import('./delete.ts')).PackDeleteCommand,
  list: async () => (await import('./list.ts')).PackListCommand,
  show: async () => (await import('./show.ts')).PackShowCommand,
  add: async () => (await import('./add.ts')).PackAddCommand,
  remove: async () => (await import('./remove.ts')).PackRemoveCommand,
  capture: async () => (await import('./capture.ts')).PackCaptureCommand,
  preview: async () => (await import('./preview.ts')).PackPreviewCommand,
  render: async () => (await import('./render.ts')).PackRenderCommand,
  verify: async () => (await import('./verify.ts')).PackVerifyCommand,
  suggest: async () => (await import('./suggest.ts')).PackSuggestCommand,
  lint: async () => (await import('./lint.ts')).PackLintCommand,
  export: async () => (await import('./export.ts')).PackExportCommand,
  import: async () => (await import('./import.ts')).PackImportCommand,
};
