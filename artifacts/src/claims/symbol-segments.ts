/** Paths as the kernel compares them: lists of segments. */
import type { SymbolPath } from 'rubicon-kernel'

export function toSegments(path: string): SymbolPath {
  return path === '' ? [] : path.split('/')
}

export function toPathText(path: SymbolPath): string {
  return path.join('/')
}
