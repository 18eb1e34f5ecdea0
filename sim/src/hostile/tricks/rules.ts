/** What the rules of the house forbid, and what it costs to ask them: no more than a decision may. */
import type { JsonObject } from 'rubicon-kernel'
import { PRESS } from '../shop-rules.ts'
import type { Stage } from '../stage.ts'
import type { Trick } from '../trick.ts'

const goal = 'unpaid_work'
const WORDS = 'note '

const createNoteAttempt =
  (params: JsonObject) =>
  async (stage: Stage): Promise<void> =>
    void (await stage.act('NOTE', { title: WORDS, ...params }))

export const RULE_TRICKS: readonly Trick[] = [
  {
    name: 'write_to_whom_a_rule_in_cedar_forbids',
    goal: 'effect_outside_contract',
    patch: 'cedar-by-its-text-is-not-in-force',
    attempt: createNoteAttempt({ to: PRESS }),
  },
  {
    name: 'hold_a_long_text_against_the_schema_of_a_capability',
    goal,
    patch: 'schemas-cost-what-they-cost',
    attempt: createNoteAttempt({ text: WORDS.repeat(20_000) }),
  },
  {
    name: 'hold_a_long_text_against_a_pattern_of_her_contract',
    goal,
    patch: 'patterns-cost-what-they-cost',
    attempt: createNoteAttempt({ title: WORDS.repeat(20_000) }),
  },
  {
    name: 'hold_a_long_text_against_a_rule',
    goal,
    patch: 'texts-of-like-not-counted',
    attempt: createNoteAttempt({ body: WORDS.repeat(40_000) }),
  },
  {
    name: 'ask_a_rule_about_many_values',
    goal,
    patch: 'policies-cost-what-they-cost',
    attempt: createNoteAttempt({ values: Array.from({ length: 4_000 }, (_, i) => i + 0.5) }),
  },
]
