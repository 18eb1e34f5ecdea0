import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isObject, type JsonValue, parseContract, parseMonitor } from 'rubicon-kernel'
import { CONTRACT_SHAPE } from './contract-shape.ts'
import type { Shape } from './document-shape.ts'
import { MONITOR_SHAPE } from './monitor-shape.ts'

type Problem = { readonly path: readonly (string | number)[]; readonly detail: string }
type Parse = (document: JsonValue) => readonly Problem[]

const parsers: Readonly<Record<string, readonly [Shape, Parse, JsonValue]>> = {
  contract: [CONTRACT_SHAPE, (document) => problemsOf(parseContract(document)), {}],
  monitor: [MONITOR_SHAPE, (document) => problemsOf(parseMonitor(document)), {}],
}

function problemsOf(
  result: ReturnType<typeof parseContract> | ReturnType<typeof parseMonitor>,
): readonly Problem[] {
  return result.ok ? [] : result.error
}

type Leaf = { readonly path: readonly string[]; readonly shape: Shape }

function listLeaves(shape: Shape, path: readonly string[] = []): readonly Leaf[] {
  const members = Object.entries(shape.members ?? {}).flatMap(([name, member]) =>
    listLeaves(member, [...path, name]),
  )
  const items = shape.items === undefined ? [] : listLeaves(shape.items, [...path, '*'])
  const each = shape.each === undefined ? [] : listLeaves(shape.each, [...path, 'a_usd'])
  return [{ path, shape }, ...members, ...items, ...each]
}

/** A document with this value there and nothing else. */
function wrap(path: readonly string[], value: JsonValue): JsonValue {
  return path
    .toReversed()
    .reduce<JsonValue>((inner, step) => (step === '*' ? [inner] : { [step]: inner }), value)
}

/** Members of a statistic are those of its kind. */
function ofKind(kind: string, document: JsonValue): JsonValue {
  if (!isObject(document) || !isObject(document.statistic)) return document
  return { statistic: { ...document.statistic, kind } }
}

for (const [name, [shape, parse]] of Object.entries(parsers)) {
  test(`every member that is offered for a ${name} is one that the parser knows`, () => {
    for (const { path } of listLeaves(shape)) {
      // A statistic takes the members of its kind: each is known to one of them.
      if (path[0] === 'statistic' || path.includes('limits')) continue
      const unknown = parse(wrap(path, 'x')).filter(
        ({ detail }) => detail === 'is not a known field',
      )
      assert.deepEqual(unknown, [], path.join('.'))
    }
  })

  test(`what is offered to choose from in a ${name} is what the parser names`, () => {
    for (const { path, shape: leaf } of listLeaves(shape)) {
      if (leaf.choices === undefined || path.includes('limits')) continue
      const document = wrap(path, 'no_such_choice')
      const found = [...parse(document), ...parse(ofKind('cusum', document))]
      const said = found
        .map(({ detail }) => detail)
        .filter((detail) => detail.includes('no_such_choice'))
      for (const choice of leaf.choices)
        assert.ok(
          said.some((detail) => detail.includes(`\`${choice}\``)),
          `${path.join('.')} ${choice}`,
        )
    }
  })
}

test('of a limit and of a statistic every member is known to some kind', () => {
  const limits = ['range', 'set', 'state_match', 'ratio']
  const members = Object.keys(
    CONTRACT_SHAPE.members?.permissions?.members?.limits?.items?.members ?? {},
  )
  const known = (member: string): boolean =>
    limits.some((kind) => {
      const document = {
        permissions: { limits: [{ kind, [member]: member === 'kind' ? kind : 'x' }] },
      }
      return problemsOf(parseContract(document)).every(
        ({ detail }) => detail !== 'is not a known field',
      )
    })
  assert.deepEqual(
    members.filter((member) => !known(member)),
    [],
  )
  const statistics = ['mean', 'rate', 'ratio', 'streak', 'cusum', 'shift']
  const own = Object.keys(MONITOR_SHAPE.members?.statistic?.members ?? {})
  const isKnown = (member: string): boolean =>
    statistics.some((kind) => {
      const document = { statistic: { kind, [member]: member === 'kind' ? kind : 'x' } }
      return problemsOf(parseMonitor(document)).every(
        ({ detail }) => detail !== 'is not a known field',
      )
    })
  assert.deepEqual(
    own.filter((member) => !isKnown(member)),
    [],
  )
})
