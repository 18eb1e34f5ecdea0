/** Codes about events, wake-ups and the bus. */
import type { EngineReason } from './engine-reasons.ts'

export const EVENT_REASONS: Readonly<Record<string, EngineReason>> = {
  WAKE_NOT_ADMITTED: {
    means: 'an agent listened to an event and was not woken; the event says so',
    why: 'the rules admit so many agents for a change of that size, or for the tokens that are left',
    fix: 'raise `admission` of the topic, or the priority of the agent',
  },
  FLOW_CLAIMED: {
    means: 'another process of the agent works on the flow',
    why: 'a flow that an event woke is worked on by one process at a time',
    fix: 'leave it to that process, or claim it when the time of the claim is over',
  },
  CLAIM_UNKNOWN: {
    means: 'the flow does not need to be claimed',
    why: 'no event woke it, or it was worked on already',
    fix: 'work on it',
  },
  LETTER_UNKNOWN: {
    means: 'no dead letter has this id',
    why: 'it was sent again already, or never was one',
    fix: '`rubicon bus dead-letters` lists them',
  },
  EVENT_UNKNOWN: {
    means: 'no event has this id',
    why: 'it was written differently, or it is one of another tenant',
    fix: 'the page Events of the console lists them, as does `GET /v1/topic-events`',
  },
  SUBSCRIPTION_DENIED: {
    means: 'an agent asked for events that its contract does not name',
    why: 'an agent gets only the events that its contract subscribes to; the request is recorded',
    fix: 'deploy a version of the contract with that subscription',
  },
  BUS_MISSING: {
    means: 'the process has no bus to hear events on',
    why: 'the engine was started without one',
    fix: 'give `bus` to `createRuntime`',
  },
}
