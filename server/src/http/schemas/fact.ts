/** What is known of the outside, and by whose word. */
import type { DeltaOp, JsonObject, StateFact, TextFlag, WorldFact } from 'rubicon-kernel'
import {
  anything,
  boolean,
  buildEnum,
  buildUnionEnum,
  buildWholeObject,
  count,
  moment,
  nameSchema,
  string,
} from './shape.ts'

export const factLabel: JsonObject = nameSchema(
  'FactLabel',
  buildEnum('trusted', 'operator', 'external', 'agent'),
)

/** What a text of the outside was found to hold. */
export const textFlag: JsonObject = nameSchema(
  'TextFlag',
  buildUnionEnum<TextFlag>({
    ignore_instructions: true,
    role_change: true,
    system_prompt: true,
    exfiltration: true,
    override_limits: true,
    hidden_text: true,
  }),
)

export const stateFact: JsonObject = nameSchema(
  'StateFact',
  buildWholeObject<StateFact>(
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

export const worldFact: JsonObject = nameSchema(
  'WorldFact',
  buildWholeObject<WorldFact>({
    kind: string,
    id: string,
    version: count,
    value: anything,
    retracted: boolean,
  }),
)

/** A change of World; which other members it has, its word says. */
export const worldOp: JsonObject = nameSchema('WorldOp', {
  type: 'object',
  properties: {
    op: buildUnionEnum<DeltaOp['op']>({
      create: true,
      replace: true,
      patch: true,
      retract: true,
      increment: true,
    }),
    kind: string,
    id: string,
    expected_version: count,
    value: anything,
    patch: anything,
    by: string,
    field: string,
  },
  required: ['op', 'kind', 'id'],
})
