/** Which part of the work a process of `rubicon up` does, as it was told. */
import type { RuntimeOptions } from 'rubicon-runtime/compose'
import { isPostgresAddress } from 'rubicon-runtime/ports'
import { type CommandCall, createUsageFailure } from './call.ts'

export type ExecutorsOption = NonNullable<RuntimeOptions['executors']>

const ROLES: Readonly<Record<string, ExecutorsOption>> = {
  all: 'inline',
  engine: 'elsewhere',
  executor: 'separate',
}

export function parseExecutors({ options, place }: CommandCall): ExecutorsOption {
  const role = options.text('role') ?? 'all'
  const executors = Object.hasOwn(ROLES, role) ? ROLES[role] : undefined
  if (executors === undefined)
    throw createUsageFailure(
      `\`${role}\` is no role of a process`,
      `use ${Object.keys(ROLES).join(', ')}`,
    )
  if (executors === 'inline' || isPostgresAddress(place.store)) return executors
  throw createUsageFailure(
    `\`--role ${role}\` needs a store that processes share`,
    'use --store postgres://…, or leave the role out',
  )
}
