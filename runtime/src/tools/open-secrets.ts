import type { ToolsConfig } from './config.ts'
import type { ToolAllowances } from './create-hands.ts'
import { openSecretSource } from './secret-origin.ts'

/** What the operator allows, with a source behind each secret. No secret is read here. */
export function openAllowances({ http, commands, secrets }: ToolsConfig): ToolAllowances {
  const granted = [...secrets].map(
    ([name, { from, ...grant }]) =>
      [name, { ...grant, source: openSecretSource(name, from) }] as const,
  )
  return { http, commands, secrets: new Map(granted) }
}
