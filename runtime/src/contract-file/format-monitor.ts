import { type Monitor, parseMonitor } from 'rubicon-kernel'
import { stringify } from 'yaml'

/** A stored monitor as YAML: what a file would say to make exactly this one. */
export function formatMonitor(monitor: Monitor): string {
  // What is stored has its members in the order of their bytes; read once more, in that of the spec.
  const read = parseMonitor(monitor)
  const document = read.ok ? read.value : monitor
  return stringify(document, { aliasDuplicateObjects: false, lineWidth: 100, version: '1.2' })
}
