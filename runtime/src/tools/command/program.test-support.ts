/** Programs that a test writes, and calls of a command executor that may start them. */
import { realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CommandExecutor, JsonObject } from 'rubicon-kernel'
import type { EffectIo } from '../../ports/capability.ts'
import { temporaryFolder } from '../../temporary-folder.test-support.ts'
import type { ManifestAnswer } from '../hands.ts'
import { createIo } from '../http/outside.test-support.ts'
import { type CommandHandsOptions, executeCommand } from './command-hands.ts'

/** A script with this text, in a folder of its own. */
export function writeProgram(text: string, mode = 0o700): string {
  const path = join(realpathSync(temporaryFolder()), 'program')
  writeFileSync(path, `#!/bin/sh\n${text}\n`, { mode })
  return path
}

export type ProgramCall = {
  readonly args?: CommandExecutor['argv']
  readonly executor?: Partial<CommandExecutor>
  readonly options?: Partial<CommandHandsOptions>
  readonly io?: Partial<EffectIo>
  readonly params?: JsonObject
}

export function callProgram(
  path: string,
  { args = [], executor = {}, options = {}, io = {}, params = {} }: ProgramCall = {},
): Promise<ManifestAnswer> {
  return executeCommand(
    { allowed: [{ path }], secrets: new Map(), ...options },
    { argv: [path, ...args], applied: [0], not_applied: [3, 4], transient: [4], ...executor },
    { kind: 'acme.run', agent_id: 'bot', params, purpose: 'effect' },
    createIo(io),
  )
}
