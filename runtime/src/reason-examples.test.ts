/** Each example of a reason code that the runtime produces, run through its real producer. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeBase64, type JsonValue, REASON_CODES } from 'rubicon-kernel'
import type { ProposalInput } from './engine/judge/receive.ts'
import { codesOf, ExampleEngine, type Scenario } from './reasons/example-engine.test-support.ts'
import { explain, type ReasonExample } from './reasons/explain.ts'

/** The kinds of examples that this file runs. */
const KINDS: readonly string[] = ['parse', 'engine', 'outcome', 'registry']

type Piece = string | { readonly repeat: string; readonly times: number }
type Body =
  | { readonly text: readonly Piece[] }
  | { readonly base64: string }
  | { readonly object: JsonValue }

for (const code of REASON_CODES) {
  const example = explain(code)?.example
  if (example == null || !KINDS.includes(example.kind)) continue
  const run = example.kind === 'parse' ? parse : scenario
  test(`${code}: ${example.title}`, { todo: example.todo ?? false }, () => run(example))
}

async function scenario({ code, input }: ReasonExample): Promise<void> {
  const script = input as unknown as Scenario
  const engine = await new ExampleEngine(script).start()
  const steps = []
  for (const step of script.steps) steps.push(await engine.run(step))
  const last = steps.pop() ?? []
  assert.ok(last.includes(code), `the last step brings out ${code}: ${last.join()}`)
  assert.ok(!steps.flat().includes(code), 'no step before it does')
}

/** An unreadable proposal is answered, and recorded with the hash of its bytes. */
async function parse({ code, input }: ReasonExample): Promise<void> {
  const example = await new ExampleEngine().start()
  const { engine, store, dfid } = example
  const before = await store.countLeaves()
  const answer = await engine.propose(dfid, bodyOf(input as unknown as Body, dfid))
  assert.deepEqual(codesOf(answer), [code])
  assert.equal(answer.stage, 'parser')
  const [entry, ...more] = await store.listLeaves(before, 10)
  assert.equal(more.length, 0)
  assert.equal(JSON.parse(entry?.payload ?? '{}').reason_code, code)
  const accepted = await engine.propose(dfid, example.proposal)
  assert.equal(accepted.outcome, 'ACCEPTED', 'a good proposal passes on the same flow')
}

function bodyOf(body: Body, dfid: string): ProposalInput {
  if ('base64' in body) return decodeBase64(body.base64) ?? assert.fail('base64')
  if ('object' in body) return revived(body.object) as object
  return new TextEncoder().encode(body.text.map(textOf).join('').replaceAll('$dfid', dfid))
}

function textOf(piece: Piece): string {
  if (typeof piece === 'string') return piece
  return Array.from({ length: piece.times }, (_, i) => piece.repeat.replace('%', String(i))).join(
    '',
  )
}

/** `{"$value": "NaN"}` stands for a value that JSON cannot write. */
function revived(value: JsonValue): unknown {
  if (typeof value !== 'object' || value === null) return value
  if ('$value' in value) {
    assert.equal(value.$value, 'NaN')
    return Number.NaN
  }
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, revived(member)]))
}
