/** The verbs about what waits for a decision. */
import { type VerbSpec, YES } from './verb-spec.ts'

export const ESCALATION_VERBS: readonly VerbSpec[] = [
  {
    verb: 'escalations list',
    summary: 'what waits for somebody to decide',
    options: [
      ['--in <state>', 'open, approved or closed; open when nobody says'],
      ['--agent <agent>', 'only of this agent'],
      ['--limit <n>', 'at most so many'],
    ],
    remote: true,
    load: async () => (await import('./escalations.ts')).listRequests,
  },
  {
    verb: 'escalations show',
    args: '<id>',
    summary: 'a request: what would run, why somebody is asked, and what the agent saw',
    remote: true,
    load: async () => (await import('./escalations.ts')).showRequest,
  },
  {
    verb: 'escalations resolve',
    args: '<id>',
    summary:
      'decide: OVERRIDE or ABORT, recorded and signed; a MODIFY is judged first, in the shell',
    options: [
      ['--decision <word>', 'OVERRIDE or ABORT'],
      ['--by <person>', 'who decides'],
      ['--justification <text>', 'why; it is signed and recorded'],
      ['--digest <digest>', 'decide only if this is still what would run'],
      ['--lift <id...>', 'triggers that are lifted; all of the request when nobody says'],
      ['--valid-for <seconds>', 'how long it may still be carried out; 300 when nobody says'],
      ['--acknowledge <words>', 'what HIGH_IMPACT asks to be typed'],
      ['--retire', 'with ABORT: the agent ends as well'],
      YES,
    ],
    remote: true,
    load: async () => (await import('./escalation-resolve.ts')).resolveRequest,
  },
]
