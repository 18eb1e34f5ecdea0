/** A running server, and who asks it: its address, a token, a tenant. */
import { readFileSync } from 'node:fs'
import type { ClientAnswer, ClientOptions } from 'rubicon-agents'
import { type Client, createClient } from 'rubicon-agents/client'
import { redactAddress } from 'rubicon-runtime/ports'
import { type CommandCall, createUsageFailure } from '../call.ts'
import { CliFailure, formatFailureLines } from '../failure.ts'
import type { CommandStreams } from '../output.ts'
import { unwrapAnswer } from '../server-answer.ts'
import { Lines } from './lines.ts'

export type Link = {
  readonly url: string
  readonly token: string
  readonly client: Client
  /** For whoever asks it by other means than the client. */
  readonly asks: ClientOptions
}

const LOCAL = 'http://127.0.0.1:7420'
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

export function parseServerAddress(call: CommandCall): string {
  const [given = LOCAL] = call.args
  return parseServerUrl(given, call)
}

export function parseServerUrl(given: string, { options }: Pick<CommandCall, 'options'>): string {
  const url = URL.canParse(given) ? new URL(given) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw createUsageFailure(
      `\`${redactAddress(given)}\` is no address of a server`,
      `give one such as ${LOCAL}`,
    )
  const isClear = url.protocol === 'http:' && !LOOPBACK.test(url.hostname)
  if (isClear && !options.hasFlag('insecureHost'))
    throw createUsageFailure(
      `\`${url.origin}\` is another machine, and this is clear text`,
      'use https://, or add --insecure-host to send the token in clear text',
    )
  return url.origin
}

/** The one that `--server` names, asked with the token of whoever types. */
export async function connectToServer(call: CommandCall, server: string): Promise<Link> {
  const url = parseServerUrl(server, call)
  return createLink(url, await obtainValidToken(call, url), call.options.text('tenant'))
}

export function createLink(url: string, token: string, tenant: string | undefined): Link {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(tenant === undefined ? {} : { 'rubicon-tenant': tenant }),
  }
  const asks = { url, headers: () => headers }
  return { url, token, client: createClient(asks), asks }
}

/** From a file or the environment; a person is asked. Never from an argument, which all can read. */
async function readToken({ options, streams }: CommandCall): Promise<string> {
  const file = options.text('tokenFile')
  if (file !== undefined) return readFileSync(file, 'utf8').trim()
  const given = streams.env.RUBICON_TOKEN ?? ''
  const token = given === '' && streams.stdin.isTTY === true ? await askToken(streams) : given
  if (token.trim() !== '') return token.trim()
  throw createNoTokenFailure()
}

function createNoTokenFailure(): CliFailure {
  return new CliFailure({
    code: 'TOKEN_MISSING',
    summary: 'no token was given',
    fix: 'add --token-file PATH, or set RUBICON_TOKEN; `rubicon token` makes one',
  })
}

/**
 * At a terminal a token that is nobody's is asked for again: without one nothing else can be done. A
 * server that does not answer may come back.
 */
export async function obtainValidToken(call: CommandCall, url: string): Promise<string> {
  let token = await readToken(call)
  while (call.streams.stdin.isTTY === true) {
    const { client } = createLink(url, token, call.options.text('tenant'))
    const who = await client.getSession()
    if (who.ok || who.problem.code !== 'TOKEN_INVALID') break
    const fix = 'type the one that the runtime showed; `rubicon token` makes another'
    const { code, title: summary } = who.problem
    for (const line of formatFailureLines({ code, summary, fix })) call.out.note(line)
    token = (await askToken(call.streams)).trim()
    if (token === '') throw createNoTokenFailure()
  }
  return token
}

/** Before there is a history: what is typed here is never a part of it. */
async function askToken(streams: CommandStreams): Promise<string> {
  const lines = new Lines({ streams })
  try {
    return (await lines.readNext({ kind: 'secret', prompt: 'token: ' })) ?? ''
  } finally {
    lines.close()
  }
}

/** What was answered; a refusal is shown as any failure is. */
export function unwrapServerAnswer<Body>(answer: ClientAnswer<Body>): Body {
  return unwrapAnswer(answer, SHELL_FIXES)
}

/** What to do in the words of the shell, where those of the API would not help. */
export const SHELL_FIXES: Readonly<Record<string, string>> = {
  ESCALATION_UNKNOWN: 'see `inbox`, or `inbox decided`',
  ESCALATION_DECIDED: 'see what became of it: `show ID`',
  FLOW_UNKNOWN: 'see `flows`',
  AGENT_UNKNOWN: 'see `agents`',
  IMPACT_UNACKNOWLEDGED: 'type what `show ID` asks to be typed',
  TOKEN_INVALID: '`rubicon token` makes another; start the shell again with it',
}

/** Nobody knows whether it arrived. */
export function isUnheard(error: unknown): boolean {
  return error instanceof CliFailure && error.failure.code === 'SERVER_UNREACHABLE'
}
