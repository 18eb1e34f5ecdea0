/** Mistakes in what the API document says. */
import type { Patch } from './patch.ts'

export const API_DOCUMENT_PATCHES: readonly Patch[] = [
  {
    name: 'document-words-are-of-no-type',
    findings: ['41e'],
    edits: [
      {
        file: 'server/src/http/schemas/shape.ts',
        function: 'buildEnum',
        before: "type: 'string', ",
        after: '',
      },
    ],
  },
  {
    name: 'document-needs-nothing-of-a-decision',
    findings: ['41e'],
    edits: [
      {
        file: 'server/src/http/routes/escalations.ts',
        function: 'written',
        before: "['decision', 'intent_digest', 'shown_snapshot', 'justification']",
        after: '[]',
      },
    ],
  },
  {
    name: 'document-lists-a-code-twice',
    findings: ['41f'],
    edits: [
      {
        file: 'server/src/http/problems/problem.ts',
        function: 'PROBLEM_CODES',
        before: '...new Set([',
        after: '...([',
      },
    ],
  },
]
