/** What several authors want that cannot be had together. */
import { addMethod, addTo, plant, replaceBody } from './module-deltas.ts'
import { parseText } from './texts.ts'
import { type SeededMistake, toBatch } from './violation.ts'

const OVERLAP = ['OVERLAPPING_WRITES']

export const CONFLICTS: readonly SeededMistake[] = [
  plant('one-body-by-two', OVERLAP, (id) => [
    [replaceBody(`function:read${id}`, '{ return 2 }')],
    [replaceBody(`function:read${id}`, '{ return 3 }')],
  ]),
  plant('body-of-what-is-removed', OVERLAP, (id) => [
    [{ op: 'remove', target: `class:Store${id}` }],
    [replaceBody(`class:Store${id}/method:find`, "{ return 'x' }")],
  ]),
  plant('member-into-what-is-removed', OVERLAP, (id) => [
    [{ op: 'remove', target: `class:Store${id}` }],
    [addMethod(id, 'more')],
  ]),
  plant('claim-inside-a-claim', OVERLAP, (id) => [
    [{ op: 'move', target: `class:Store${id}`, to: '', at: { after: null } }],
    [replaceBody(`class:Store${id}/method:find`, "{ return 'x' }")],
  ]),
  plant('removed-by-two', OVERLAP, (id) => [
    [{ op: 'remove', target: `class:Store${id}/method:find2` }],
    [{ op: 'remove', target: `class:Store${id}/method:find2` }],
  ]),
  plant('moved-and-changed', OVERLAP, (id) => [
    [{ op: 'move', target: `function:read${id}`, to: '', at: { after: null } }],
    [replaceBody(`function:read${id}`, '{ return 3 }')],
  ]),
  plant('name-by-two', ['NAME_CLAIMED_TWICE'], (id) => [
    [addMethod(id, 'same')],
    [addMethod(id, 'same', '2')],
  ]),
  plant('name-by-two-of-other-kinds', ['CLAIMS_CONFLICT'], (id) => [
    [addMethod(id, 'same')],
    [addTo(`class:Store${id}`, 'same: number | undefined')],
  ]),
  plant('name-that-another-renames-to', ['NAME_CLAIMED_TWICE', 'OVERLAPPING_WRITES'], (id) => [
    [{ op: 'rename', target: `function:read${id}`, name: 'fresh' }],
    [addTo('', 'export function fresh(): void {}')],
  ]),
  plant('name-that-is-there', ['NAME_TAKEN'], (id) => [[addMethod(id, 'find')]]),
  plant('name-that-is-imported', ['NAME_TAKEN'], () => [[addTo('', 'function clock(): void {}')]]),
  plant('rename-against-caller', ['READS_WHAT_CHANGES'], (id) => [
    [{ op: 'rename', target: `function:read${id}`, name: 'fetched' }],
    [addTo('', `export function fresh(): number {\n  return read${id}(2)\n}`)],
  ]),
  plant('signature-against-caller', ['READS_WHAT_CHANGES'], (id) => [
    [
      {
        op: 'setSignature',
        target: `function:read${id}`,
        fragment: `export function read${id}(at: number, by?: number): number`,
      },
    ],
    [replaceBody(`class:Store${id}/method:find`, `{ return String(read${id}(2)) }`)],
  ]),
  plant('removal-against-caller', ['READS_WHAT_CHANGES', 'DANGLING_REFERENCE'], (id) => [
    [{ op: 'remove', target: `function:call${id}` }],
    [addTo('', `export function fresh(): number {\n  return call${id}()\n}`)],
  ]),
  plant('member-against-user-of-this', ['READS_WHAT_CHANGES'], (id) => [
    [{ op: 'remove', target: `class:Store${id}/method:find2` }],
    [addMethod(id, 'more', "this.find2('a').length")],
  ]),
  plant('removal-of-what-is-called', ['DANGLING_REFERENCE'], (id) => [
    [{ op: 'remove', target: `function:read${id}` }],
  ]),
  plant('enum-insert-by-two', ['NOT_COMMUTATIVE'], (id) => [
    [addTo(`enum:Level${id}`, 'top')],
    [addTo(`enum:Level${id}`, 'least')],
  ]),
  plant('enum-insert-and-removal', ['NOT_COMMUTATIVE'], (id) => [
    [{ op: 'remove', target: `enum:Level${id}/member:low` }],
    [addTo(`enum:Level${id}`, 'top')],
  ]),
  plant('enum-insert-against-user', ['READS_WHAT_CHANGES'], (id) => [
    [{ op: 'addMember', target: `enum:Level${id}`, fragment: 'least', at: { after: null } }],
    [addTo('', `export const chosen = Level${id}.high`)],
  ]),
  plant('object-keys-by-two', ['NOT_COMMUTATIVE'], (id) => [
    [addTo(`variable:table${id}`, 'three: 3')],
    [addTo(`variable:table${id}`, 'four: 4')],
  ]),
  plant('initialisers-by-two', ['NOT_COMMUTATIVE'], (id) => [
    [addTo(`class:Store${id}`, 'second = clock()')],
    [addTo(`class:Store${id}`, 'third = clock()')],
  ]),
  plant('side-effect-imports-by-two', ['NOT_COMMUTATIVE'], () => [
    [{ op: 'addMember', target: '', fragment: "import './one.ts'", at: { after: null } }],
    [{ op: 'addMember', target: '', fragment: "import './two.ts'", at: { after: null } }],
  ]),
  plant('statements-by-two', ['NOT_COMMUTATIVE', 'NAME_CLAIMED_TWICE'], () => [
    [addTo('', 'clock()')],
    [addTo('', 'clock(1)')],
  ]),
  plant('import-of-one-name-by-two', ['CLAIMS_CONFLICT'], () => [
    [{ op: 'addImport', from: './one.ts', name: 'given' }],
    [{ op: 'addImport', from: './two.ts', name: 'given' }],
  ]),
  plant('import-of-a-name-that-another-declares', ['CLAIMS_CONFLICT'], () => [
    [{ op: 'addImport', from: './one.ts', name: 'given' }],
    [addTo('', 'export function given(): void {}')],
  ]),
  {
    name: 'imports-of-one-name-far-apart',
    codes: ['CLAIMS_CONFLICT'],
    build: (rng) => {
      const name = `given${rng.drawBelow(9)}`
      const lines = ['one', 'two', 'three'].map((from) => `import { ${from} } from './${from}.ts'`)
      const text = parseText('drawn.ts', `${lines.join('\n')}\n\none(two, three)\n`)
      const batch = ['./one.ts', './three.ts'].map((from) => [
        { op: 'addImport', from, name } as const,
      ])
      return { text, batch: toBatch(...batch) }
    },
  },
]
