/**
 * The key of the agent in whose name a client calls, in the state directory. Registered once: a key that is there is kept,
 * one whose registration was interrupted is registered now, and a new one is made only where there is none.
 */
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { existsSync, readFileSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Client } from 'rubicon-agents/client'
import { buildPossession } from '../key-possession.ts'
import { ALL_ROWS, collectRows } from '../list-pages.ts'
import { createIdempotencyKey, unwrapAnswer } from '../server-answer.ts'
import { createWhole, flushFolder } from './whole-file.ts'

/** True: it was registered now. */
export async function ensureAgentKey(
  client: Client,
  agent: string,
  file: string,
): Promise<boolean> {
  const draft = `${file}.unregistered`
  const key = readKey(file) ?? readKey(draft) ?? makeKey(draft)
  const registration = buildPossession(key, 'agent', agent)
  const { rows } = await collectRows(ALL_ROWS, async (query) => {
    const page = unwrapAnswer(await client.listKeys({ query }))
    return { rows: page.keys, next: page.next }
  })
  const isKnown = rows.some(
    ({ public_key, subject }) => public_key === registration.public_key && subject === agent,
  )
  if (!isKnown)
    unwrapAnswer(await client.registerKey({ body: registration, ...createIdempotencyKey() }))
  if (!existsSync(file)) renameSync(draft, file)
  flushFolder(dirname(file))
  return !isKnown
}

function readKey(file: string): KeyObject | null {
  return existsSync(file) ? createPrivateKey(readFileSync(file)) : null
}

function makeKey(draft: string): KeyObject {
  const { privateKey } = generateKeyPairSync('ed25519')
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
  createWhole(draft, pem)
  return privateKey
}
