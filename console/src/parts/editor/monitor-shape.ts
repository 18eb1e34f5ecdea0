/** What a monitor's file can say. `document-shapes.test.ts` holds it against the parser. */
import { KINDS, type Shape } from './document-shape.ts'

const CONDITION: Shape = {
  says: 'which executions count',
  members: { is: {}, above: { names: 'sources' }, below: { names: 'sources' } },
}

export const MONITOR_SHAPE: Shape = {
  members: {
    api_version: { choices: ['rubicon/v1'] },
    kind: { choices: ['Monitor'] },
    name: { says: 'by which it is known' },
    agents: { items: { names: 'agents' }, says: 'each is watched by itself', begins: '[]' },
    policy_kinds: { ...KINDS, says: 'of these kinds; without it of all' },
    statuses: { items: { choices: ['SUCCESS', 'FAILED', 'ABANDONED'] }, begins: '[]' },
    statistic: {
      says: 'what is computed, and its bounds',
      members: {
        kind: { choices: ['mean', 'rate', 'ratio', 'streak', 'cusum', 'shift'] },
        value: { names: 'sources', says: 'what is looked at in each execution' },
        of: { names: 'sources', says: 'what it is divided by' },
        when: CONDITION,
        min: { says: 'below it the agent is suspended' },
        max: { says: 'above it the agent is suspended' },
        length: { says: 'how many in a row' },
        target: {},
        slack: {},
        direction: { choices: ['up', 'down'] },
        edges: { begins: '[]' },
        baseline: { begins: '[]' },
      },
    },
    window: {
      says: 'over which executions',
      members: {
        executions: { says: 'the last so many' },
        duration: { says: '`30d`, `12h` or `45m`' },
      },
    },
    min_samples: { says: 'with fewer there is no data' },
    max_unreadable: {},
  },
}
