import { openRowKey } from './adapters/system/row-key.ts'
import type { RowVouching } from './ports/row-mac.ts'
import type { RuntimeOptions } from './runtime.ts'

/** What a row says that this runtime did not write counts for nothing, and somebody should know. */
export function vouchingOf(
  { store, rowKey }: Pick<RuntimeOptions, 'store' | 'rowKey'>,
  keysFolder: string,
  report: (line: string) => void,
): RowVouching {
  if (store === 'memory') return {}
  return {
    rowMac: openRowKey(keysFolder, rowKey),
    distrusted: ({ code, message }) => report(`${code}: ${message}`),
  }
}
