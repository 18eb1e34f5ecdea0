/** The mistakes that a batch can have, as data. */
import type { Delta } from 'rubicon-artifacts'
import { STRATEGIES } from 'rubicon-kernel'
import { CONFLICTS } from './conflicts.ts'
import { addMethod, addTo, plant, replaceBody } from './module-deltas.ts'
import { parseText } from './texts.ts'
import { drawModule, readAlone, readElsewhere, type SeededMistake, toBatch } from './violation.ts'

export const VIOLATIONS: readonly SeededMistake[] = [
  ...CONFLICTS,
  plant('closes-what-it-did-not-open', ['FRAGMENT_REACHES_OUT', 'FRAGMENT_INVALID'], (id, rng) => [
    [
      addTo(
        `class:Store${id}`,
        rng.pick([
          'a(): void {} } class Other {',
          'a(): void {}\n}\nexport class Other {\n  b(): void {}',
          'a(): void {} } function b() {',
        ]),
      ),
    ],
  ]),
  plant('opens-what-it-does-not-close', ['FRAGMENT_REACHES_OUT', 'FRAGMENT_INVALID'], (id, rng) => [
    [
      rng.pick([
        addMethod(id, 'more', '1 /*'),
        addMethod(id, 'more', '`'),
        replaceBody(`function:read${id}`, '{ return 1'),
        replaceBody(`function:read${id}`, '{ return 1 } /*'),
      ]),
    ],
  ]),
  plant('fragment-that-is-no-member', ['FRAGMENT_INVALID'], (id, rng) => [
    [addTo(`class:Store${id}`, rng.pick(['// nothing', 'a b c', 'return 1', '']))],
  ]),
  plant('missing-target', ['TARGET_MISSING'], (id) => [
    [replaceBody(`function:nothing${id}`, '{ return 1 }')],
  ]),
  plant('ambiguous-target', ['TARGET_AMBIGUOUS'], (id) => [
    [{ op: 'remove', target: `function:over${id}` }],
  ]),
  plant('path-that-is-none', ['PATH_INVALID', 'TARGET_MISSING'], (_id, rng) => [
    [{ op: 'remove', target: rng.pick(['src/a.ts', '../a', 'class:', 'function:a#0', '/']) }],
  ]),
  plant('anchor-that-is-missing', ['TARGET_MISSING'], (id) => [
    [{ ...addMethod(id, 'more'), at: { after: `class:Store${id}/method:none` } } as Delta],
  ]),
  plant('target-that-another-moves-away', ['OVERLAPPING_WRITES', 'READS_WHAT_CHANGES'], (id) => [
    [{ op: 'rename', target: `class:Store${id}`, name: 'Moved' }],
    [addMethod(id, 'more')],
  ]),
  plant('no-container', ['TARGET_UNFIT'], (id) => [[addTo(`function:read${id}`, 'a(): void {}')]]),
  {
    name: 'order-where-none-is-allowed',
    codes: ['ORDER_NOT_ALLOWED'],
    build: (rng) => {
      const text = drawModule(rng)
      const deltas = [addMethod(text.id, 'more')]
      return { text, batch: [{ key: 'a', deltas, order: rng.drawBelow(9) }] }
    },
  },
  {
    name: 'stale-read-of-a-header',
    codes: ['DELTA_STALE'],
    build: (rng) => {
      const text = drawModule(rng)
      const path = `class:Store${text.id}`
      const other = text.parsed.text.replace(path.slice(6), `${path.slice(6)} extends Object`)
      const reads = readElsewhere(parseText('drawn.ts', other), path, 'header')
      return { text, batch: [{ key: 'a', deltas: [addMethod(text.id, 'more')], reads }] }
    },
  },
  {
    name: 'stale-read-of-a-definition',
    codes: ['DELTA_STALE'],
    build: (rng) => {
      const text = drawModule(rng)
      const { id } = text
      const delta = addTo('', `export function fresh(): number {\n  return read${id}(2)\n}`)
      const other = text.parsed.text.replace('(at: number)', rng.pick(['(at?: number)', '(at: 1)']))
      const reads = readAlone(parseText('drawn.ts', other), delta)
      return { text, batch: [{ key: 'a', deltas: [delta], reads }] }
    },
  },
  {
    name: 'read-of-what-is-gone',
    codes: ['DELTA_STALE'],
    build: (rng) => {
      const text = drawModule(rng)
      const more = `${text.parsed.text}export function gone(): void {}\n`
      const reads = readElsewhere(parseText('drawn.ts', more), 'function:gone', 'definition')
      return { text, batch: [{ key: 'a', deltas: [addMethod(text.id, 'more')], reads }] }
    },
  },
  {
    name: 'order-that-is-missing',
    codes: ['ORDER_MISSING'],
    build: (rng) => {
      const text = drawModule(rng)
      const batch = toBatch([addMethod(text.id, 'more')], [addMethod(text.id, 'most')])
      return { text, batch, strategy: STRATEGIES.Ordered }
    },
  },
  {
    name: 'one-order-for-two',
    codes: ['ORDER_TWICE'],
    build: (rng) => {
      const text = drawModule(rng)
      const batch = toBatch([addMethod(text.id, 'more')], [addMethod(text.id, 'most')])
      const order = rng.drawBelow(9)
      const ordered = batch.map((entry) => ({ ...entry, order }))
      return { text, batch: ordered, strategy: STRATEGIES.Ordered }
    },
  },
  {
    name: 'ordered-over-unordered',
    codes: ['ORDERED_AND_UNORDERED'],
    build: (rng) => {
      const text = drawModule(rng)
      const target = `function:read${text.id}`
      const batch = [
        { key: 'a', deltas: [replaceBody(target, '{ return 1 }')], order: 1 },
        { key: 'b', deltas: [replaceBody(target, '{ return 2 }')] },
      ]
      return { text, batch, strategy: STRATEGIES.Hybrid }
    },
  },
  {
    name: 'order-does-not-help-a-caller',
    codes: ['READS_WHAT_CHANGES'],
    build: (rng) => {
      const text = drawModule(rng)
      const { id } = text
      const [one, other] = rng.pick([
        [1, 2],
        [2, 1],
      ])
      const caller = addTo('', `export function fresh(): number {\n  return read${id}(2)\n}`)
      const batch = [
        { key: 'a', deltas: [caller], order: one },
        {
          key: 'b',
          deltas: [{ op: 'rename', target: `function:read${id}`, name: 'fetched' } as const],
          order: other,
        },
      ]
      return { text, batch, strategy: STRATEGIES.Ordered }
    },
  },
  {
    name: 'strategy-of-an-inner-container',
    codes: ['NOT_COMMUTATIVE'],
    build: (rng) => {
      const text = drawModule(rng)
      const { id } = text
      const strategy = {
        ...STRATEGIES.SingleWriter,
        within: [{ path: [`class:Store${id}`], strategy: STRATEGIES.CommutativeBatch }],
      }
      const field = addTo(`class:Store${id}`, 'second = clock()')
      return { text, batch: toBatch([field]), strategy }
    },
  },
  {
    name: 'key-of-a-configuration-by-two',
    codes: ['NAME_CLAIMED_TWICE'],
    build: (rng) => {
      const isYaml = rng.drawChance(0.5)
      const text = isYaml
        ? parseText('drawn.yml', 'a: 1\nb:\n  c: 2\n')
        : parseText('drawn.json', '{\n  "a": 1,\n  "b": { "c": 2 }\n}\n')
      const [one, other] = isYaml ? ['x: 1', 'x: 2'] : ['"x": 1', '"x": 2']
      return { text, batch: toBatch([addTo('', one)], [addTo('', other)]) }
    },
  },
  {
    name: 'items-by-two',
    codes: ['NAME_CLAIMED_TWICE', 'NOT_COMMUTATIVE'],
    build: (rng) => {
      const text = parseText('drawn.json', '{\n  "a": [1, 2]\n}\n')
      const [one, other] = [String(rng.drawBelow(9)), String(rng.drawBelow(9))]
      return { text, batch: toBatch([addTo('key:a', one)], [addTo('key:a', other)]) }
    },
  },
]
