/** Single keys at a terminal; without one there are none, and the terminal's mode is never touched. */
import type { CommandStreams } from '../output.ts'

const INTERRUPT = '\u0003'

export type KeyReader = { stop(): void }

export function readKeys(
  { stdin }: Pick<CommandStreams, 'stdin'>,
  pressed: (key: string) => void,
  interrupted: () => void,
): KeyReader {
  if (stdin.isTTY !== true || !isRawCapable(stdin)) return { stop: () => {} }
  const read = (chunk: Buffer | string): void => {
    for (const key of String(chunk)) {
      if (key === INTERRUPT) interrupted()
      else pressed(key)
    }
  }
  stdin.setRawMode(true)
  stdin.on('data', read)
  stdin.resume()
  return {
    stop() {
      stdin.off('data', read)
      stdin.setRawMode(false)
      stdin.pause()
    },
  }
}

function isRawCapable(
  stdin: NodeJS.ReadableStream,
): stdin is NodeJS.ReadableStream & { setRawMode(isRaw: boolean): unknown } {
  return 'setRawMode' in stdin && typeof stdin.setRawMode === 'function'
}
