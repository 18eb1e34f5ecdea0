import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LoadedPolicy, LoadedRule } from 'rubicon-agents/client'
import { describeEffect, listActions, listPoliciesOf } from './law-words.ts'
import { isTrying } from './policies-view.ts'

const RULE: LoadedRule = {
  id: 'a',
  line: 1,
  effect: 'forbid',
  channel: null,
  reason: null,
  actions: ['REFUND'],
  agents: null,
}

const POLICY: LoadedPolicy = {
  name: 'desk',
  version: '1',
  language: 'cedar',
  hash: null,
  applies_to: null,
  source: '',
  rules: [RULE],
}

test('what a rule does is refuse, ask or permit', () => {
  assert.equal(describeEffect(RULE).word, 'refuses')
  assert.equal(describeEffect({ ...RULE, channel: 'finance' }).word, 'asks finance')
  assert.equal(describeEffect({ ...RULE, effect: 'permit', channel: 'x' }).word, 'permits')
})

test('a rule holds what its head names, within what its policy is for', () => {
  assert.deepEqual(listActions({ applies_to: null }, RULE), ['REFUND'])
  assert.deepEqual(listActions({ applies_to: ['MAIL'] }, RULE), [])
  assert.deepEqual(listActions({ applies_to: ['MAIL'] }, { actions: null }), ['MAIL'])
  assert.equal(listActions({ applies_to: null }, { actions: null }), null)
})

test('a policy is about an action where one of its rules is, and one in code where it says so', () => {
  const code = { ...POLICY, name: 'code', rules: [], applies_to: ['MAIL'] }
  assert.deepEqual(listPoliciesOf([POLICY, code], 'REFUND'), ['desk'])
  assert.deepEqual(listPoliciesOf([POLICY, code], 'MAIL'), ['code'])
  const all = { ...POLICY, name: 'all', rules: [{ ...RULE, actions: null }] }
  assert.deepEqual(listPoliciesOf([all], 'MAIL'), ['all'])
})

test('a link into the playground that was written before leads there still', () => {
  const isOpen = (address: string, fragment = ''): boolean =>
    isTrying(new URLSearchParams(address), fragment)
  assert.equal(isOpen(''), false)
  assert.equal(isOpen('view=try'), true)
  assert.equal(isOpen('decision=main/1'), true)
  assert.equal(isOpen('', '#draft=%7B%7D'), true)
})
