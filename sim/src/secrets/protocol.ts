/** What the processes of the proof are told, and what they say. None of it is a secret. */
import type { SignedKey } from 'rubicon-agents'

export const LEAKY_AGENT = 'leaky_agent'
export const LEAKY_KINDS = [
  'BY_ENVIRONMENT',
  'BY_FILE',
  'BY_COMMAND',
  'BY_PROGRAM',
  'NOBODY',
] as const
/** A kind that asks a person, so that somebody is told. */
export const ASKING_KIND = 'BY_FILE'

export type HouseConfig = {
  readonly folder: string
  readonly store: string
  readonly state: string
  readonly tools: string
  readonly channels: string
  /** Files with a secret each. */
  readonly files: Readonly<
    Record<'passphrase' | 'token' | 'anthropic' | 'google' | 'adviser' | 'oidc' | 'webhook', string>
  >
  readonly outsideUrl: string
  readonly closedUrl: string
  /** Of the agent's key, signed by it. */
  readonly registration: SignedKey
}

export type HouseLine = { readonly url: string }

/** The variable that one of the keys of models is in. */
export const OPENAI_VARIABLE = 'RUBICON_KEY_OPENAI'

export type AgentOrders = {
  readonly url: string
  readonly keyFile: string
  /** What it writes goes here. */
  readonly folder: string
  /** It asks a model that never answers, and waits for that. */
  readonly hangs: boolean
  readonly heap: boolean
}

/** What it was sent. */
export const RECEIVED = 'received.txt'
