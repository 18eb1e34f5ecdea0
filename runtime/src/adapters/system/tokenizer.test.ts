import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { loadSystemTokenizer } from './tokenizer.ts'

const tokenizer = await loadSystemTokenizer()
const execFileAsync = promisify(execFile)
const TOKENIZER = new URL('./tokenizer.ts', import.meta.url).href

test('texts have the tokens of the encoding', () => {
  assert.equal(tokenizer.name, 'o200k_base')
  for (const [text, tokens] of [
    ['', 0],
    ['hello world', 2],
    ['返金', 2],
    ['{"path":"market.price.ACME","value":"99.50"}', 15],
  ] as const)
    assert.equal(tokenizer.count(text), tokens, text)
})

test('what looks like a command to the model is text', () => {
  assert.ok(tokenizer.count('<|endoftext|>') > 1)
})

test('long ordinary text has as many tokens in pieces as in one', () => {
  const text = 'Refund what customers are owed,\nand nothing else.\n\n'.repeat(100)
  assert.equal(tokenizer.count(text), countTokens(text))
})

test('a row without a gap is counted in pieces that hold whole characters', () => {
  assert.equal(tokenizer.count('a'.repeat(513)), countTokens('a'.repeat(512)) + 1)
  const smile = '\u{1f600}'
  assert.equal(
    tokenizer.count(`a${smile.repeat(300)}`),
    countTokens(`a${smile.repeat(255)}`) + countTokens(smile.repeat(45)),
  )
})

test('a text that begins with a space, and has no other, is cut where it is full', () => {
  const text = ` ${'a'.repeat(600)}`
  assert.equal(
    tokenizer.count(text),
    countTokens(text.slice(0, 512)) + countTokens(text.slice(512)),
  )
})

test('asked twice it is the same tokenizer with the same answer', async () => {
  assert.equal(await loadSystemTokenizer(), tokenizer)
  assert.equal(tokenizer.count('hello world'), tokenizer.count('hello world'))
})

for (const times of [1, 2])
  test(`a piece of a long text that was counted ${times === 1 ? 'once' : 'again'} does not keep the long text in memory`, async () => {
    const script = `
    const { loadSystemTokenizer } = await import(process.argv[1])
    const tokenizer = await loadSystemTokenizer()
    const read = () => { gc(); return process.memoryUsage().heapUsed / 1e6 }
    const count = (number) => {
      const long = Buffer.alloc(262_144, String(number).padEnd(1_000, 'words ')).toString('latin1')
      tokenizer.count(long.slice(0, 1_024))
    }
    for (let time = 1; time < ${times}; time++) {
      for (let number = 0; number < 320; number++) count(number)
      for (let other = 0; other < 2_000; other++) tokenizer.count(String(other))
    }
    for (let number = 0; number < 20; number++) count(number)
    const before = read()
    for (let number = 20; number < 320; number++) count(number)
    console.log(Math.round(read() - before))
  `
    const args = ['--expose-gc', '--input-type=module', '-e', script, TOKENIZER]
    const { stdout } = await execFileAsync(process.execPath, args)
    assert.ok(Number(stdout) < 20, `${stdout.trim()} MB of 79 MB stay`)
  })
