/** What an agent may decide for another one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApprovalPayload, JsonObject } from 'rubicon-kernel'
import type { PeopleAtPlace } from '../authority/people-at-place.ts'
import { findAgentDecisionProblems, isForAgents, mayAskAgents } from './agent-decision.ts'

type Request = Parameters<typeof mayAskAgents>[0]

const REQUEST: JsonObject = {
  channel: 'agent:lead',
  agent_id: 'agent-1',
  needs: 1,
  approvers: [],
  impact: 'LOW_IMPACT',
  impact_reasons: [],
}

function parseRequest(change: JsonObject = {}): Request {
  return { ...REQUEST, ...change } as unknown as Request
}

test('an agent that is active, above and asked decides by a step of its own', () => {
  const told = (change: JsonObject, people: Partial<PeopleAtPlace> = {}): readonly string[] => {
    const asked: string[] = []
    const all = {
      inactive: (agent: string) => (agent === 'lead' ? [] : [`${agent} is not lead`]),
      isAbove: (above: string, agent: string) => asked.push(above, agent) > 0,
      hasDecided: () => true,
      ...people,
    } as unknown as PeopleAtPlace
    const body = { approver: 'agent:lead' } as unknown as ApprovalPayload['body']
    const found = findAgentDecisionProblems(all, parseRequest(change), body)
    if (people.isAbove === undefined) assert.deepEqual(asked, ['lead', 'agent-1'])
    return found
  }
  assert.deepEqual(told({}), [])
  assert.deepEqual(told({ channel: 'agent:other' }), [
    'an agent decides a request that it was not asked about',
  ])
  assert.deepEqual(told({}, { isAbove: () => false }), ['the agent is not above the one that asks'])
  assert.deepEqual(told({}, { hasDecided: () => false }), ['no step of the agent decided it'])
  assert.deepEqual(told({}, { inactive: () => ['it sleeps'] }), ['it sleeps'])
})

test('an agent is asked in place of nobody who is named, and about little, or what nobody rated', () => {
  assert.equal(mayAskAgents(parseRequest()), true)
  assert.equal(mayAskAgents(parseRequest({ needs: 2 })), false)
  assert.equal(mayAskAgents(parseRequest({ approvers: ['ann'] })), false)
  const high = (...impact_reasons: readonly string[]): Request =>
    parseRequest({ impact: 'HIGH_IMPACT', impact_reasons })
  assert.equal(mayAskAgents(high('irreversible')), true)
  assert.equal(isForAgents(high('irreversible', 'risk_high')), false)
  assert.equal(isForAgents(high('risk_high')), false)
  assert.equal(isForAgents(high()), false)
  assert.equal(isForAgents(parseRequest()), true)
})
