/** What a model may write for a flow, as it is asked for and handed out. */
import { type Grammar, type JsonObject, LIMITS } from 'rubicon-kernel'
import {
  buildArray,
  buildClosedObject,
  buildEnum,
  buildWholeObject,
  identifier,
  listOf,
  nameSchema,
  open,
  string,
} from './shape.ts'

export const grammarRequest: JsonObject = buildClosedObject(
  { kinds: listOf(identifier, LIMITS.modelTools) },
  ['kinds'],
)

const place = { policy_kind: string, param: string, rule: string }

export const grammarSchema: JsonObject = nameSchema(
  'Grammar',
  buildWholeObject<Grammar>({
    kinds: buildArray(string),
    schema: open,
    unbounded: buildArray(
      buildWholeObject<Grammar['unbounded'][number]>({
        ...place,
        why: buildEnum('schema', 'set', 'limit', 'measure', 'fact', 'writ'),
      }),
    ),
    impossible: buildArray(buildWholeObject<Grammar['impossible'][number]>(place)),
    hash: string,
  }),
)
