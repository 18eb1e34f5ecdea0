import { type CommandCall, createUsageFailure, getServerOption } from './call.ts'

/** `--archive FILE…`: archives that a verb reads together with the store. */
export function getArchiveOption({ options }: Pick<CommandCall, 'options'>): readonly string[] {
  return options.getTexts('archive')
}

/** A server reads no files of whoever asks it. */
export function assertNoServer(call: CommandCall): void {
  if (getServerOption(call) === undefined && call.connected === undefined) return
  throw createUsageFailure(
    '`--archive` does not go with `--server`',
    'run it where the store can be read, with --store',
  )
}
