import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Contract, parseContract } from 'rubicon-kernel'
import { matchesRegex } from '../policies/regex.ts'
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

test('expressions that are large together are refused', () => {
  const code = (...patterns: readonly string[]): string => {
    const matcher = compilePatterns(contractWith(...patterns))
    return matcher.ok ? '' : matcher.error.summary
  }
  assert.equal(code('re:[a-z]{1000}', 're:[a-z]{999}b'), '')
  assert.match(code(...'abcde'.split('').map((end) => `re:[a-z]{999}${end}`)), /4096 states/)
  assert.match(code(`re:${'a|'.repeat(2_049)}`), /4096 characters/)
})

test('in force, what cannot be compiled is neither matched nor not matched', () => {
  assert.equal(matchesRegex('a+', 'aaa'), true)
  assert.equal(matchesRegex('a+', 'aab'), false)
  for (const expression of ['(', '(a)\\1', 'a'.repeat(4_097), '[a-z]{1000}'.repeat(5)])
    assert.equal(matchesRegex(expression, 'a'), undefined)
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
