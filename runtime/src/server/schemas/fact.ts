/** What is known of the outside, and by whose word. */
import type { JsonObject, StateFact, WorldFact } from 'rubicon-kernel'
import { anything, boolean, count, moment, named, string, whole, words } from '../routes/shape.ts'

export const factLabel: JsonObject = named(
  'FactLabel',
  words('trusted', 'operator', 'external', 'agent'),
)

export const stateFact: JsonObject = named(
  'StateFact',
  whole<StateFact>(
    {
      path: string,
      value: anything,
      source: string,
      label: factLabel,
      observed_at: moment,
      version: string,
      until: moment,
    },
    ['until'],
  ),
)

export const worldFact: JsonObject = named(
  'WorldFact',
  whole<WorldFact>({
    kind: string,
    id: string,
    version: count,
    value: anything,
    retracted: boolean,
  }),
)
