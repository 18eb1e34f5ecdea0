/** For the packages of this repository: what they use of this folder. No promise to anybody else. */

export { type Change, listDocumentChanges } from './changes.ts'
export { describeContract } from './contract-sentences.ts'
export { formatContract } from './contract-text.ts'
export { formatMonitor } from './format-monitor.ts'
export { formatYaml } from './format-yaml.ts'
export { describeMonitor } from './monitor-sentence.ts'
export { parseContractText, readContractFile } from './read-contract-file.ts'
export { type DocumentKind, readDocument } from './read-document.ts'
export { parseMonitorText, readMonitorFile } from './read-monitor-file.ts'
export { replaceInYaml } from './replace-in-yaml.ts'
export { parseYaml } from './yaml-document.ts'
