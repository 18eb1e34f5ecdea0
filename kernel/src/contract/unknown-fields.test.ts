import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../canonical/json-value.ts'
import { type DocumentProblem, Fields, Place } from './reader.ts'

/** What is refused of an object that may have `safety_rules` and `host`. */
function listRefused(object: JsonObject): readonly string[] {
  const problems: DocumentProblem[] = []
  const fields = new Fields(object, new Place(problems))
  for (const name of ['safety_rules', 'host']) fields.readDefaulted(name, () => null, null)
  fields.end()
  return problems.map(({ path, detail }) => `${path.join('.')} ${detail}`)
}

test('of an unknown member the one that was meant is named, where it is missing', () => {
  const refusal = 'is not a known field'
  assert.deepEqual(listRefused({ safety_rule: 1, colour: 2 }), [
    `safety_rule ${refusal}; did you mean \`safety_rules\`?`,
    `colour ${refusal}`,
  ])
  assert.deepEqual(listRefused({ safety_rule: 1, safety_rules: {} }), [`safety_rule ${refusal}`])
})

test('of many unknown members only the first are compared', () => {
  const names = Array.from({ length: 9 }, (_, at) => `host${at}`)
  const refused = listRefused(Object.fromEntries(names.map((name) => [name, 1])))
  assert.equal(refused.filter((line) => line.endsWith('did you mean `host`?')).length, 8)
  assert.equal(refused.at(-1), 'host8 is not a known field')
})
