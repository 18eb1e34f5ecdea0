/**
 * Carries out the command executor of a manifest: a program that the operator allowed, with arguments that no
 * shell reads, in an empty folder, with the variables that the manifest names and no others.
 *
 * 1. Up to its start, failure says that nothing happened. Once it runs, only an exit code that the manifest lists
 *    says anything; a signal, a deadline or too much output is thrown, and the effect is UNKNOWN.
 * 2. What it printed loses the secrets that it was given, before it is returned or thrown.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type CommandExecutor,
  decodeUtf8,
  describeUnevaluated,
  fillJsonTemplate,
  isObject,
  type JsonValue,
  LIMITS,
  parseJson,
  shorten,
  toCanonicalText,
} from 'rubicon-kernel'
import {
  type ProcessEnd,
  type ProcessRequest,
  runProcess,
} from '../../adapters/process/run-process.ts'
import { type EffectIo, NotApplied } from '../../ports/capability.ts'
import type { ManifestAnswer, ManifestCall } from '../hands.ts'
import { createNotSentError } from '../not-sent.ts'
import { createRedaction, type Redaction } from '../redaction.ts'
import { readGranted, type SecretGrants } from '../secret-grants.ts'
import { buildArguments, findVariableProblem, type NamedVariables } from './build-arguments.ts'
import { type AllowedExecutable, findExecutableProblem } from './executable.ts'
import { Turns } from './turns.ts'

/** Of all tools of this process: agents that ask for thousands at once get them one after the other. */
const turns = new Turns(LIMITS.commandsAtOnce, LIMITS.commandsAtOnce / LIMITS.agentShare)

export type CommandHandsOptions = {
  readonly allowed: readonly AllowedExecutable[]
  readonly secrets: SecretGrants
}

export async function executeCommand(
  options: CommandHandsOptions,
  executor: CommandExecutor,
  call: ManifestCall,
  io: EffectIo,
): Promise<ManifestAnswer> {
  const [path] = executor.argv
  if (typeof path !== 'string') throw createNotSentError('COMMAND_DENIED', 'it names no program')
  const args = buildArguments(executor, call)
  if (!args.ok) throw createNotSentError('TEMPLATE_UNFILLED', args.error)
  const stdin = buildStdin(executor, call)
  if (!(await turns.take(call.agent_id, io.signal)))
    throw new NotApplied('other programs ran until its deadline', { transient: true })
  try {
    const problem = await findExecutableProblem(options.allowed, path)
    if (problem !== null)
      throw createNotSentError('COMMAND_DENIED', `\`${path}\` ${problem}`, { path })
    const { env, redaction } = await buildVariables(options.secrets, executor, call.kind, path, io)
    const ended = await executeInFolder(
      {
        path,
        args: args.value,
        env,
        stdin,
        deadlineMs: Math.min(executor.timeout_ms ?? LIMITS.toolMs, LIMITS.manifestTimeoutMs),
        outputBytes: Math.min(executor.max_bytes ?? LIMITS.resultBytes, LIMITS.resultBytes),
        errorBytes: LIMITS.commandErrorBytes,
      },
      io,
    )
    return readEnd(executor, ended, redaction)
  } finally {
    turns.release(call.agent_id)
  }
}

/** An empty one, for its owner alone, which goes with the program. */
async function executeInFolder(
  request: Omit<ProcessRequest, 'cwd' | 'signal'>,
  io: EffectIo,
): Promise<ProcessEnd> {
  const cwd = await mkdtemp(join(tmpdir(), 'rubicon-tool-')).catch(() => null)
  if (cwd === null) return { kind: 'not-started', problem: 'NO_FOLDER' }
  try {
    // Asked for at the last moment: whoever slept until here is told that its time is over.
    return await runProcess({ ...request, cwd, signal: io.signal })
  } finally {
    await rm(cwd, { recursive: true, force: true }).catch(() => {})
  }
}

function buildStdin({ stdin }: CommandExecutor, { params }: ManifestCall): string {
  if (stdin === undefined) return ''
  const filled = fillJsonTemplate(stdin, { params })
  if (!filled.ok)
    throw createNotSentError('TEMPLATE_UNFILLED', `its input: ${describeUnevaluated(filled.error)}`)
  return `${toCanonicalText(filled.value)}\n`
}

async function buildVariables(
  grants: SecretGrants,
  executor: CommandExecutor,
  tool: string,
  path: string,
  { idempotencyKey }: EffectIo,
): Promise<{ readonly env: Readonly<Record<string, string>>; readonly redaction: Redaction }> {
  const carrier = executor.idempotency_env
  const named: NamedVariables = {
    ...(executor.env ?? {}),
    ...(carrier === undefined ? {} : { [carrier]: idempotencyKey }),
  }
  const problem = findVariableProblem(named)
  if (problem !== null) throw createNotSentError('TEMPLATE_UNFILLED', problem)
  const env: Record<string, string> = {}
  const hidden: string[] = []
  for (const [name, value] of Object.entries(named)) {
    if (!isObject(value)) {
      env[name] = value
      continue
    }
    const used = await readGranted(grants, value, tool, { kind: 'command', path })
    env[name] = used.text
    hidden.push(used.value, used.text)
  }
  return { env, redaction: createRedaction(hidden) }
}

function readEnd(
  { applied, not_applied = [], transient = [] }: CommandExecutor,
  ended: ProcessEnd,
  redaction: Redaction,
): ManifestAnswer {
  if (ended.kind === 'not-started')
    throw new NotApplied(`the program was not started: ${ended.problem}`, {
      transient: ['ABORTED', 'EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM', 'NO_FOLDER'].includes(
        ended.problem,
      ),
      details: { code: 'COMMAND_NOT_STARTED', problem: ended.problem },
    })
  if (ended.kind === 'ended') throw new Error(`the program was ended: ${ended.why}`)
  const { code } = ended
  if (not_applied.includes(code))
    throw new NotApplied(`the program ended with ${code}`, {
      transient: transient.includes(code),
      details: { status: code, error: readWords(ended.error, redaction) },
    })
  if (!applied.includes(code)) {
    const said = readWords(ended.error, redaction)
    throw new Error(`the program ended with ${code}${said === '' ? '' : `: ${said}`}`)
  }
  return { status: code, result: redaction.redactJson(readOutput(ended.output)) }
}

/** One JSON document, or nothing. */
function readOutput(output: Buffer): JsonValue {
  if (output.toString('latin1').trim() === '') return null
  const parsed = parseJson(output)
  if (!parsed.ok) throw new Error(`RESPONSE_INVALID: ${parsed.error.code} in the output`)
  return parsed.value
}

/** Cut after its secrets were removed, so that no half of one is left. */
function readWords(error: Buffer, redaction: Redaction): string {
  return shorten(
    redaction.redactText((decodeUtf8(error) ?? 'is not text').trim()),
    LIMITS.toolRefusalLength,
  )
}
