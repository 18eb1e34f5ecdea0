import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Address, computeAddressOfText } from 'rubicon-kernel'
import { createAddressCheck, type Question } from './address-check.ts'
import { createHelpedCrypto } from './helped-crypto.ts'
import { nodeCrypto } from './node-crypto.ts'

const { sha256 } = nodeCrypto
const helped = createHelpedCrypto()
after(helped.close)

const checks = { alone: createAddressCheck(sha256), helped: helped.addressCheck }

function question(
  text: string,
  claimed: Address = computeAddressOfText('entry', text, sha256),
): Question {
  return { type: 'entry', text, claimed }
}

for (const [name, check] of Object.entries(checks)) {
  assert.ok(check !== undefined)
  const answers = (questions: readonly Question[]): readonly boolean[] => check.ask(questions)()

  test(`${name}: every answer stands at the place of its question`, () => {
    const questions = Array.from({ length: 3_000 }, (_, i) =>
      question(`text ${i}`, computeAddressOfText('entry', `text ${i % 7 === 3 ? -1 : i}`, sha256)),
    )
    const expected = questions.map((_, i) => i % 7 !== 3)
    for (let round = 0; round < 20; round += 1) assert.deepEqual(answers(questions), expected)
  })

  test(`${name}: a text that is larger than any batch is answered`, () => {
    const large = 'ü'.repeat(3_000_000)
    assert.deepEqual(answers([question('a'), question(large), question('b')]), [true, true, true])
    assert.deepEqual(answers([question(large, question('a').claimed)]), [false])
  })

  test(`${name}: what only looks like the address is not it`, () => {
    const right = question('a').claimed
    const longer = `${computeAddressOfText('entry', 'a', sha256)}!` as const
    const wide = right.replace(/[0-9a-f]/, (digit) =>
      String.fromCharCode(digit.charCodeAt(0) + 0x100),
    )
    const upper = `sha256:${right.slice(7).toUpperCase()}` as const
    const claims = [longer, 'sha256:' as const, upper, right.slice(0, -1), wide] as Address[]
    assert.deepEqual(
      answers(claims.map((claimed) => question('a', claimed))),
      claims.map(() => false),
    )
    assert.deepEqual(answers([{ type: 'payload', text: 'a', claimed: right }]), [false])
  })

  test(`${name}: the next questions may be asked before the last are answered`, () => {
    const first = check.ask([question('a'), question('b', question('a').claimed)])
    const second = check.ask([question('c')])
    assert.deepEqual(first(), [true, false])
    assert.deepEqual(second(), [true])
  })
}
