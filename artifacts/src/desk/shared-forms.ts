/** Forms of what both requests and answers hold. */
import {
  allowNull,
  allowWords,
  chooseForm,
  type Form,
  isCount,
  isText,
  listForm,
  recordForm,
} from './form.ts'

const PATH = listForm(isText)

export const SPLICES: Form = listForm(recordForm({ start: isCount, end: isCount, text: isText }))

export const STEPS: Form = listForm(recordForm({ splices: SPLICES, inverse: SPLICES }))

const READ = chooseForm('kind', {
  symbol: recordForm({
    kind: isText,
    'artifact?': isText,
    path: PATH,
    part: allowWords('header', 'definition'),
    hash: isText,
  }),
  export: recordForm({ kind: isText, from: isText, name: allowNull(isText) }),
})

export const CLAIMS: Form = recordForm({
  key: isText,
  artifact: isText,
  writes: listForm(
    recordForm({ path: PATH, part: allowWords('subtree', 'body', 'signature', 'name', 'value') }),
  ),
  inserts: listForm(
    recordForm({
      container: PATH,
      segment: isText,
      order: allowWords('free', 'fixed'),
      'after?': allowNull(isText),
    }),
  ),
  reads: listForm(READ),
  redefines: listForm(PATH),
  'memberships?': listForm(PATH),
  'order?': isCount,
})

const STRATEGY = {
  granularity: allowWords('subtree', 'node', 'attribute'),
  unordered: allowWords('refused', 'disjoint', 'commutative'),
  ordered: allowWords('refused', 'sequence'),
}

export const STRATEGY_TREE: Form = recordForm({
  ...STRATEGY,
  'within?': listForm(
    recordForm({ 'artifact?': isText, path: PATH, strategy: recordForm(STRATEGY) }),
  ),
})
