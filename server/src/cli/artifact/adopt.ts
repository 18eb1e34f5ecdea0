/** `rubicon artifact adopt FILE…`: has an agent make files known to the ledger, as they are on the disk. */
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { AgentAnswer } from 'rubicon-agents'
import { listFiles } from 'rubicon-artifacts/files'
import { isObject, type JsonValue } from 'rubicon-kernel'
import { type CommandCall, createMissingFailure } from '../call.ts'
import { escapeText } from '../escape-text.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { CliFailure } from '../failure.ts'
import { FollowedServer } from '../followed-server.ts'
import { connectKeyedAgent, readAgentKey } from '../keyed-agent.ts'
import { formatTable } from '../output.ts'
import { findRunningServer } from '../running-server.ts'
import { type ArtifactPlace, openArtifactPlace, toArtifactId } from './artifact-place.ts'

export type AdoptedRow = {
  readonly name: string
  readonly content_hash: string | null
  /** `adopted`, `unchanged` or `gone`. */
  readonly state: string
}

/** As many as one call takes. */
const AT_ONCE = 240

export async function adoptArtifacts(call: CommandCall): Promise<ExitCode> {
  const { options, out } = call
  const name = options.text('agent')
  if (name === undefined) throw createMissingFailure('--agent')
  const names = listNames(openArtifactPlace(call), call.args)
  const key = await readAgentKey(call, name)
  const running = await findRunningServer(call.place)
  if (running === null)
    throw new CliFailure({
      code: 'SERVER_UNREACHABLE',
      summary: 'no server runs on this store',
      why: 'the server reads the files, and decides whether the agent may make them known',
      fix: 'start one with `rubicon up --artifacts FOLDER`',
    })
  const agent = await connectKeyedAgent(call, new FollowedServer(call.place, running), name, key)
  const rows: AdoptedRow[] = []
  try {
    for (let at = 0; at < names.length; at += AT_ONCE) {
      const artifacts = names.slice(at, at + AT_ONCE)
      const flow = await agent.open({ trigger: 'rubicon artifact adopt' })
      const params = { artifacts, symbols: artifacts }
      const answer = await flow.propose({ policy_kind: 'artifact.adopt', params })
      rows.push(...parseAdopted(answer))
    }
  } finally {
    await agent.close()
  }
  const lines = rows.map((row) => [escapeText(row.name), row.state])
  for (const line of formatTable([['ARTIFACT', 'STATE'], ...lines], out.width)) out.line(line)
  out.data({ artifacts: rows })
  return EXIT.done
}

/** Each once; a folder stands for the files in it. One that is not there any more is named all the same: it is known to be gone then. */
function listNames(place: ArtifactPlace, given: readonly string[]): readonly string[] {
  if (given.length === 0) throw createMissingFailure('FILE')
  const names = given.flatMap((one) => {
    const id = toArtifactId(place, one)
    const isFolder = statSync(resolve(one), { throwIfNoEntry: false })?.isDirectory() === true
    return isFolder ? listFiles(place.root, id).ids : [id]
  })
  return [...new Set(names)].sort()
}

function parseAdopted(answer: AgentAnswer): readonly AdoptedRow[] {
  if (answer.outcome !== 'ACCEPTED' && answer.outcome !== 'REPEATED') {
    const { summary, why, fix } = answer.feedback
    throw new CliFailure({ code: answer.reason_code, summary, why, fix })
  }
  const { status, result, details, reason_code = status } = answer.execution
  if (status !== 'SUCCESS') {
    const { code = reason_code, detail = status } = details ?? {}
    throw new CliFailure({
      ...{ code: String(code), summary: String(detail), why: 'the server adopted none of them' },
      fix: `see \`rubicon flows show ${answer.dfid}\``,
    })
  }
  const { artifacts = [] } = isObject(result ?? null) ? (result as { artifacts?: JsonValue }) : {}
  return Array.isArray(artifacts) ? artifacts.flatMap(toRow) : []
}

function toRow(value: JsonValue): readonly AdoptedRow[] {
  if (!isObject(value)) return []
  const { name, content_hash = null, state } = value
  const hash = typeof content_hash === 'string' ? content_hash : null
  return [{ name: String(name), content_hash: hash, state: String(state) }]
}
