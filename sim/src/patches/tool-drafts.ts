/** Mistakes about manifests that are drafted, and about tools files that they are added to. */
import type { Patch } from './patch.ts'

export const TOOL_DRAFTS_PATCHES: readonly Patch[] = [
  {
    name: 'undecided-is-accepted',
    test: {
      file: 'kernel/src/manifest/parse-manifest.test.ts',
      title:
        'a manifest in which something is undecided is refused by what it is, whatever else it says',
    },
    edits: [
      {
        file: 'kernel/src/manifest/check-shape.ts',
        function: 'refuseUndecided',
        before: 'place.refuse(',
        after: 'if (!Array.isArray(value)) place.refuse(',
      },
    ],
  },
  {
    name: 'draft-that-nobody-parsed',
    test: {
      file: 'server/src/cli/tool-import.test.ts',
      title: 'a host is literal and read by the kernel',
    },
    edits: [
      {
        file: 'runtime/src/tools/openapi/draft-manifest.ts',
        function: 'draftManifest',
        before: 'problem === null',
        after: 'problem !== undefined',
      },
    ],
  },
  {
    name: 'reference-in-a-circle',
    test: {
      file: 'server/src/cli/tool-import.test.ts',
      title: 'references stay in the document, come to an end, and within bounds',
    },
    edits: [
      {
        file: 'runtime/src/tools/openapi/read-reference.ts',
        function: 'followReference',
        before: 'if (trail.includes(reference))',
        after: 'if (trail.includes(reference) && trail.length > 99)',
      },
    ],
  },
  {
    name: 'draft-over-a-reviewed-manifest',
    test: {
      file: 'server/src/cli/tool-import.test.ts',
      title: 'YAML is read as JSON is, and no file is overwritten',
    },
    edits: [
      {
        file: 'runtime/src/tools/openapi/import-operations.ts',
        function: 'writeDrafts',
        before: "flag: 'wx'",
        after: "flag: 'w'",
      },
    ],
  },
  {
    name: 'tools-file-written-unread',
    test: {
      file: 'server/src/cli/tool-verbs.test.ts',
      title:
        'what cannot be loaded is not added, and a file that is no tools file is left as it is',
    },
    edits: [
      {
        file: 'runtime/src/tools/add-tool.ts',
        function: 'findCollision',
        before: 'if (!inspected.ok) return inspected.error',
        after: 'if (!inspected.ok) return null',
      },
      {
        file: 'runtime/src/tools/add-tool.ts',
        function: 'addTool',
        before: 'if (config === null)',
        after: "if (config === null && next === '')",
      },
    ],
  },
]
