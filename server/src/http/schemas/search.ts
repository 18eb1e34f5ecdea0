/** What all lists are searched by, and what they say beside their rows. */
import { type JsonObject, LIMITS } from 'rubicon-kernel'
import {
  ASKED_OUTCOMES,
  COUNTED,
  type FilterCounts,
  type Indexed,
  OUTCOMES,
} from '../../search/index.ts'
import {
  allowNull,
  boolean,
  buildArray,
  buildEnum,
  buildMap,
  buildWholeObject,
  count,
  identifier,
  instant,
  nameSchema,
  string,
  text,
} from './shape.ts'

const amount: JsonObject = {
  type: 'string',
  pattern: '^(0|[1-9][0-9]{0,15})([.][0-9]{1,6})?$',
  description: 'a decimal, in the measure; inclusive',
}

/** Members of a query, beside those that a list has of its own. */
export const searchFilter: Readonly<Record<string, JsonObject>> = {
  kind: { ...identifier, description: 'of the action; in the ledger, of the entry' },
  outcome: {
    ...buildEnum(...ASKED_OUTCOMES),
    description: 'of a verdict; `decided`: any of them; `ended`: a reason without one',
  },
  reason: { ...identifier, description: 'a reason code' },
  measure: { ...identifier, description: 'what amounts are amounts of' },
  amount_min: amount,
  amount_max: amount,
  words: {
    ...text(LIMITS.queryLength),
    description:
      'each has to occur in what was asked, proposed or decided, as part of a word or whole',
  },
  // A figure of all rows costs as much as reading them: a program that lists for itself has no use for it.
  counts: { ...buildEnum('true'), description: 'counts rows as well; without it `counts` is null' },
  sort: { ...text(32), description: 'a column; with - before it the largest first' },
}

/** Of lists that had no times and tags before. */
export const timeFilter: Readonly<Record<string, JsonObject>> = {
  since: instant,
  until: instant,
  tag: { ...identifier, description: 'of the flow' },
}

/** What the last proposal of a flow was about. */
export type FoundFacts = {
  readonly kind: string | null
  readonly object: string | null
  readonly amount: string | null
  readonly measure: string | null
  readonly outcome: string | null
  readonly reason: string | null
}

const foundOutcome: JsonObject = nameSchema('FoundOutcome', buildEnum(...OUTCOMES))

export const foundFacts: Readonly<Record<keyof FoundFacts, JsonObject>> = {
  kind: { ...allowNull(string), description: 'of its last proposal; null: not known' },
  object: { ...allowNull(string), description: 'what that is about' },
  amount: allowNull(string),
  measure: { ...allowNull(string), description: 'what the amount is an amount of' },
  outcome: { ...allowNull(foundOutcome), description: 'of its last verdict' },
  reason: { ...allowNull(string), description: 'of its last verdict, or why it ended' },
}

export const indexed: JsonObject = nameSchema(
  'Indexed',
  buildWholeObject<Indexed>({
    leaf: { ...count, description: 'entries that the search index has taken in' },
    size: {
      ...count,
      description: 'entries of the ledger; more than `leaf`: it is still being made',
    },
    problem: {
      ...allowNull(string),
      description: 'why it goes no further, or is not kept; null: nothing is wrong',
    },
  }),
)

const counts: JsonObject = nameSchema(
  'FilterCounts',
  buildWholeObject<FilterCounts>({
    total: { ...count, description: `rows on all pages, ${COUNTED} at most` },
    by: {
      ...buildMap(count),
      description: 'rows there would be with each outcome, status or state',
    },
    exact: {
      ...boolean,
      description: `every row was counted; false: a figure of ${COUNTED} means as many or more`,
    },
  }),
)

/** `{<plural>, next, counts, indexed}`. */
export function buildSearchedPageSchema(
  plural: string,
  items: JsonObject,
  mayBeWithout = false,
): JsonObject {
  return buildWholeObject({
    [plural]: buildArray(items),
    next: allowNull(string),
    counts: {
      ...allowNull(counts),
      description:
        'on the first page, where it was asked for; null as well beside a plain list while the index is behind',
    },
    indexed: mayBeWithout ? allowNull(indexed) : indexed,
  })
}
