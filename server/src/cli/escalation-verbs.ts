/** The verbs about what waits for a decision. */
import { type VerbSpec, YES } from './verb-spec.ts'

export const ESCALATION_VERBS: readonly VerbSpec[] = [
  {
    verb: 'escalations list',
    summary: 'list requests that wait for a decision',
    options: [
      ['--in <state>', 'open, approved or closed (default: open)'],
      ['--agent <agent>', 'only of this agent'],
      ['--limit <n>', 'the maximum number of rows'],
    ],
    remote: true,
    load: async () => (await import('./escalations.ts')).listRequests,
  },
  {
    verb: 'escalations show',
    args: '<id>',
    summary: 'show a request: what would run, why it needs a decision, and what the agent saw',
    remote: true,
    load: async () => (await import('./escalations.ts')).showRequest,
  },
  {
    verb: 'escalations comment',
    args: '<id>',
    summary: 'comment on a request for other people; it decides nothing, and agents never see it',
    options: [
      ['--text <text>', 'the text of the comment'],
      ['--by <person>', 'who says it'],
    ],
    remote: true,
    load: async () => (await import('./escalation-comment.ts')).addRequestComment,
  },
  {
    verb: 'escalations resolve',
    args: '<id>',
    summary: 'approve or reject a request, signed and recorded; to edit one, use the shell',
    options: [
      ['--decision <word>', 'approve or reject (in the ledger: OVERRIDE, ABORT)'],
      ['--by <person>', 'who decides'],
      ['--justification <text>', 'why; it is signed and recorded'],
      ['--digest <digest>', 'decide only if what would run still has this digest'],
      [
        '--lift <id...>',
        'the ids of the reasons for approval that this decision lifts (default: all of the request)',
      ],
      ['--valid-for <seconds>', 'how long it may still be carried out (default: 300)'],
      ['--acknowledge <words>', 'the words that have to be typed to approve a HIGH_IMPACT request'],
      ['--retire', 'with reject: retire the agent as well'],
      YES,
    ],
    remote: true,
    load: async () => (await import('./escalation-resolve.ts')).resolveRequest,
  },
]
