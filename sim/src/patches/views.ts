/** What the views for auditors leave out. */
import type { Edit, Patch } from './patch.ts'

const SQLITE = 'runtime/src/adapters/sqlite/migrations/0008-audit-views.ts'
const POSTGRES = 'runtime/src/adapters/postgres/migrations/0006-audit-views.ts'

/** The same mistake on both databases. */
function buildBothEdits(edit: Omit<Edit, 'file'>): readonly Edit[] {
  return [SQLITE, POSTGRES].map((file) => ({ file, ...edit }))
}

export const VIEWS_PATCHES: readonly Patch[] = [
  {
    name: 'topics-listed-in-one-go',
    test: {
      file: 'runtime/src/engine/flow/listed-topics.test.ts',
      title: 'a list of the topics of many agents does not keep the thread that decides',
    },
    edits: [
      {
        file: 'runtime/src/engine/flow/listed-topics.ts',
        function: 'listTopics',
        before: 'await pause()',
        after: '',
      },
    ],
  },
  {
    name: 'views-skip-the-accepted',
    findings: ['17a'],
    edits: buildBothEdits({
      function: 'POLICY_PROPOSALS',
      before: "kind IN ('accepted', 'dispatch',",
      after: "kind IN ('dispatch',",
    }),
  },
  {
    name: 'views-show-the-opening-only',
    findings: ['17b'],
    edits: buildBothEdits({
      function: 'CONTEXT_SNAPSHOTS',
      before: "s.kind IN ('writ', 'evidence', 'rejection')",
      after: "s.kind IN ('writ', 'rejection')",
    }),
  },
  {
    name: 'views-count-what-parents-are-asked',
    findings: ['17c'],
    edits: buildBothEdits({
      function: 'ESCALATION_BUDGET',
      before: "NOT LIKE 'agent:%'",
      after: "NOT LIKE 'agent'",
    }),
  },
  {
    name: 'views-forget-who-decided',
    findings: ['17d'],
    edits: buildBothEdits({
      function: 'ESCALATION_REQUESTS',
      before: 'AS human_decision',
      after: '|| NULL AS human_decision',
    }),
  },
  {
    name: 'views-keep-the-last-request',
    findings: ['17e'],
    edits: [
      {
        file: SQLITE,
        function: 'ESCALATION_REQUESTS',
        before: 'p.leaf < e.leaf',
        after: 'p.leaf > e.leaf OR 1 = 2',
      },
      {
        file: POSTGRES,
        function: 'ESCALATION_REQUESTS',
        before: 'p.row < e.row',
        after: 'p.row > e.row OR 1 = 2',
      },
    ],
  },
  {
    name: 'views-leave-states-out',
    findings: ['17f'],
    edits: [
      {
        file: SQLITE,
        function: 'DECISION_AUDIT_EVENTS',
        before: "upper(e.payload ->> '$.finding'),",
        after: '',
      },
      {
        file: POSTGRES,
        function: 'DECISION_AUDIT_EVENTS',
        before: "upper(ledger_json(e.payload) ->> 'finding'),",
        after: '',
      },
    ],
  },
  {
    name: 'views-stay-with-the-opening',
    findings: ['17f'],
    edits: [
      {
        file: SQLITE,
        function: 'CONTEXT_SESSION',
        before: "'f.snapshot_id'",
        after: `"s.payload ->> '$.flow.snapshot_id'"`,
      },
      {
        file: POSTGRES,
        function: 'CONTEXT_SESSION',
        before: "'f.snapshot_id'",
        after: `"ledger_json(s.payload) #>> '{flow,snapshot_id}'"`,
      },
    ],
  },
]
