/** Reads monitors from YAML files. */
import {
  type Failure,
  type JsonObject,
  type Monitor,
  parseMonitor,
  type Result,
} from 'rubicon-kernel'
import {
  type DocumentKind,
  parseDocumentObject,
  parseDocumentText,
  readDocument,
} from './read-document.ts'

const MONITOR: DocumentKind<Monitor> = {
  word: 'monitor',
  code: 'MONITOR_INVALID',
  parse: parseMonitor,
}

export function readMonitorFile(path: string): Promise<Result<Monitor, Failure>> {
  return readDocument(MONITOR, path)
}

/** A document, or the path of a file that holds one. */
export async function loadMonitor(monitor: string | JsonObject): Promise<Result<Monitor, Failure>> {
  return typeof monitor === 'string'
    ? readMonitorFile(monitor)
    : parseDocumentObject(MONITOR, monitor)
}

export function parseMonitorText(text: string, fileName: string): Result<Monitor, Failure> {
  return parseDocumentText(MONITOR, text, fileName)
}
