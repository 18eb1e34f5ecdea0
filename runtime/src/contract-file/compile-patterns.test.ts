import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Contract, parseContract } from 'rubicon-kernel'
import { compilePatterns } from './compile-patterns.ts'

function contractWith(...patterns: readonly string[]): Contract {
  const result = parseContract({
    agent_id: 'a',
    version: '1.0.0',
    owner: 'o',
    effective_from: '2026-01-01',
    mission: 'm',
    permissions: { policy_kinds: ['BUY'], accounts: patterns },
  })
  assert.ok(result.ok)
  return result.value
}

test('an expression must match the whole value', () => {
  const matcher = compilePatterns(contractWith('re:ETH-[A-Z]{3}', 'plain*'))
  assert.ok(matcher.ok)
  assert.ok(matcher.value('ETH-[A-Z]{3}', 'ETH-USD'))
  for (const value of ['ETH-USDT', 'xETH-USD', 'ETH-USD\n', 'eth-usd', '']) {
    assert.ok(!matcher.value('ETH-[A-Z]{3}', value), value)
  }
})

test('an expression of another contract matches nothing', () => {
  const matcher = compilePatterns(contractWith('re:a'))
  assert.ok(matcher.ok)
  assert.ok(!matcher.value('.*', 'a'))
})

test('an input that would take a backtracking engine for ever is answered', () => {
  const matcher = compilePatterns(contractWith('re:^(a+)+$'))
  assert.ok(matcher.ok)
  assert.equal(matcher.value('^(a+)+$', `${'a'.repeat(100)}b`), false)
  assert.equal(matcher.value('^(a+)+$', 'a'.repeat(100)), true)
})

test('back-references, look-around and huge repeats are refused', () => {
  for (const expression of ['(a)\\1', '(?=a)b', '(?<!a)b', 'a{1000}{1000}', 'a{1001}', '(']) {
    const matcher = compilePatterns(contractWith(`re:${expression}`))
    assert.ok(!matcher.ok, expression)
    assert.equal(matcher.error.code, 'POLICY_REGEX_UNSAFE')
  }
})
