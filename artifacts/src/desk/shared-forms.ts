/** Forms of what both requests and answers hold. */
import {
  choiceForm,
  type Form,
  isCount,
  isText,
  listForm,
  nullForm,
  recordForm,
  wordForm,
} from './form.ts'

const PATH = listForm(isText)

export const SPLICES: Form = listForm(recordForm({ start: isCount, end: isCount, text: isText }))

export const STEPS: Form = listForm(recordForm({ splices: SPLICES, inverse: SPLICES }))

const READ = choiceForm('kind', {
  symbol: recordForm({
    kind: isText,
    'artifact?': isText,
    path: PATH,
    part: wordForm('header', 'definition'),
    hash: isText,
  }),
  export: recordForm({ kind: isText, from: isText, name: nullForm(isText) }),
})

export const CLAIMS: Form = recordForm({
  key: isText,
  artifact: isText,
  writes: listForm(
    recordForm({ path: PATH, part: wordForm('subtree', 'body', 'signature', 'name', 'value') }),
  ),
  inserts: listForm(
    recordForm({
      container: PATH,
      segment: isText,
      order: wordForm('free', 'fixed'),
      'after?': nullForm(isText),
    }),
  ),
  reads: listForm(READ),
  redefines: listForm(PATH),
  'memberships?': listForm(PATH),
  'order?': isCount,
})

const STRATEGY = {
  granularity: wordForm('subtree', 'node', 'attribute'),
  unordered: wordForm('refused', 'disjoint', 'commutative'),
  ordered: wordForm('refused', 'sequence'),
}

export const STRATEGY_TREE: Form = recordForm({
  ...STRATEGY,
  'within?': listForm(
    recordForm({ 'artifact?': isText, path: PATH, strategy: recordForm(STRATEGY) }),
  ),
})
