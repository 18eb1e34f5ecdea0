import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestProject } from './project.test-support.ts'
import type { ChangeSet } from './project.ts'
import { findSemanticConflicts } from './semantic-conflicts.ts'

const BASE = {
  'a.ts': [
    'export function login(name: string) { return name }',
    'export enum Color { Red, Green }',
    'export class Desk {\n  open(at: number) { return at }\n  shut() {}\n}',
    'export interface Order { readonly id: string }',
    'export const LIMITS = { small: 1, large: 2 }',
    '',
  ].join('\n'),
  'b.ts': `import { login } from './a.ts'\nexport const caller = () => login('x')\n`,
  'c.ts': 'export const c = 1\n',
}

type Texts = Readonly<Record<string, string | null>>

/** The same, whichever side is called ours (K3). */
function find(ours: Texts, theirs: Texts): string[] {
  const base = createTestProject(BASE)
  const [one, other]: ChangeSet[] = [ours, theirs].map((texts) => new Map(Object.entries(texts)))
  assert.ok(one !== undefined && other !== undefined)
  const found = findSemanticConflicts(base, one, other)
  const turned = findSemanticConflicts(base, other, one)
  const show = (conflicts: typeof found): string[] =>
    conflicts.map(
      ({ kind, changed, referrer }) =>
        `${kind} ${changed.path} <- ${referrer.artifact} ${referrer.path}`,
    )
  assert.deepEqual(show(turned).sort(), show(found).sort())
  return show(found)
}

function edit(from: string, to: string): Texts {
  assert.ok(BASE['a.ts'].includes(from))
  return { 'a.ts': BASE['a.ts'].replace(from, to) }
}

const USES = (body: string, names = 'login, Color, Desk, LIMITS, type Order'): Texts => ({
  'n.ts': `import { ${names} } from './a.ts'\nexport function fresh() { ${body} }\n`,
})

test('a rename and a new caller are a conflict, in another artifact and in the same one', () => {
  const renamed = {
    ...edit('function login', 'function enter'),
    'b.ts': BASE['b.ts'].replaceAll('login', 'enter'),
  }
  const conflict = 'RENAME_AND_REFERENCE function:login'
  assert.deepEqual(find(renamed, USES(`login('y')`)), [`${conflict} <- n.ts function:fresh`])
  const within = { 'a.ts': `${BASE['a.ts']}function more() { login('z') }\n` }
  assert.deepEqual(find(renamed, within), [`${conflict} <- a.ts function:more`])
  assert.deepEqual(find(renamed, { 'c.ts': 'export const c = 2\n' }), [])
})

test('a changed signature and a new caller are a conflict, a changed body is none', () => {
  const signature = edit('login(name: string)', 'login(name: string, code: string)')
  assert.deepEqual(find(signature, USES(`login('y')`)), [
    'SIGNATURE_AND_REFERENCE function:login <- n.ts function:fresh',
  ])
  const body = edit('{ return name }', '{ return name.trim() }')
  assert.deepEqual(find(body, USES(`login('y')`)), [])
})

test('a caller that was there and was changed elsewhere is no conflict, one more call is', () => {
  const signature = edit('login(name: string)', 'login(name: string, code?: string)')
  const moved = { 'b.ts': BASE['b.ts'].replace(`login('x')`, `[1, login('x')]`) }
  assert.deepEqual(find(signature, moved), [])
  const more = { 'b.ts': BASE['b.ts'].replace(`login('x')`, `[login('y'), login('x')]`) }
  assert.deepEqual(find(signature, more), [
    'SIGNATURE_AND_REFERENCE function:login <- b.ts variable:caller',
  ])
})

test('a removal and a new reference are a conflict, through whatever hands it on', () => {
  const removed = edit('export function login(name: string) { return name }\n', '')
  const through = {
    'd.ts': `export * as all from './a.ts'\n`,
    'n.ts': `import { all } from './d.ts'\nexport const fresh = all.login('x')\n`,
  }
  assert.deepEqual(find(removed, through), [
    'REMOVAL_AND_REFERENCE function:login <- n.ts variable:fresh',
  ])
})

test('an artifact that is taken away and asked for anew is a conflict', () => {
  assert.deepEqual(find({ 'c.ts': null }, { 'n.ts': `import './c.ts'\n` }), [
    'REMOVAL_AND_REFERENCE  <- n.ts ',
  ])
})

test('a new member of an enum is a conflict with what counts on all members or on their numbers', () => {
  const inserted = edit('{ Red, Green }', '{ Red, Blue, Green }')
  const conflict = ['ENUM_AND_REFERENCE enum:Color <- n.ts function:fresh']
  const exhaustive = 'switch (x) { case Color.Red: return 1 }'
  assert.deepEqual(find(inserted, USES(exhaustive)), conflict)
  assert.deepEqual(find(inserted, USES('return Color[1]')), conflict)
  assert.deepEqual(find(inserted, USES('return Object.keys(Color)')), conflict)
  assert.deepEqual(find(inserted, USES('return Color.Green')), conflict)
  assert.deepEqual(find(inserted, USES('return Color.Red')), [])
  const last = edit('{ Red, Green }', '{ Red, Green, Blue }')
  assert.deepEqual(find(last, USES('return Color.Green')), [])
  assert.deepEqual(find(last, USES(exhaustive)), conflict)
})

test('a new method and a new user of the class go together, a new constructor does not', () => {
  const added = edit('  shut() {}', '  shut() {}\n  wait() {}')
  assert.deepEqual(find(added, USES('return new Desk()')), [])
  const made = edit('  shut() {}', '  shut() {}\n  constructor(at: number) {}')
  assert.deepEqual(find(made, USES('return new Desk()')), [
    'SIGNATURE_AND_REFERENCE class:Desk <- n.ts function:fresh',
  ])
})

test('a member that is called behind a dot counts by its name', () => {
  const removed = edit('  shut() {}\n', '')
  const conflict = 'class:Desk/method:shut <- n.ts function:fresh'
  assert.deepEqual(find(removed, USES('return desk.shut()')), [`REMOVAL_AND_REFERENCE ${conflict}`])
  const changed = edit('open(at: number)', 'open(at: string)')
  assert.deepEqual(find(changed, USES('return desk.open(1)')), [
    'SIGNATURE_AND_REFERENCE class:Desk/method:open <- n.ts function:fresh',
  ])
  assert.deepEqual(find(changed, USES('return desk.other(1)')), [])
})

test('an interface is relied on as a whole, an object by the keys that are named', () => {
  const grown = edit('{ readonly id: string }', '{ readonly id: string; readonly at: number }')
  assert.deepEqual(find(grown, USES(`const o: Order = { id: 'x' }; return o`)), [
    'SIGNATURE_AND_REFERENCE interface:Order <- n.ts function:fresh',
  ])
  const without = edit('small: 1, ', '')
  const named = find(without, USES('return LIMITS.small'))
  assert.ok(named.length > 0 && named.every((one) => one.startsWith('REMOVAL_AND_REFERENCE')))
  assert.deepEqual(find(without, USES('return LIMITS.large')), [])
})

test('what both sides did alike is no conflict', () => {
  const renamed = edit('function login', 'function enter')
  const both = { ...renamed, ...USES(`enter('y')`, 'enter') }
  assert.deepEqual(find(renamed, both), [])
  const signature = edit('login(name: string)', 'login(name: string, code: string)')
  assert.deepEqual(find(signature, { ...signature, ...USES(`login('y', 'z')`) }), [])
})
