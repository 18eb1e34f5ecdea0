/** Tools that are data. */
export { describeManifest, parseDescribedManifest } from './describe-manifest.ts'
export {
  buildManifestDelta,
  checkManifestPostcondition,
  judgeManifestProbe,
} from './manifest-effect.ts'
export { buildManifestLaw, listManifestResources } from './manifest-law.ts'
export { describeMcpError } from './mcp-answer.ts'
export {
  isMcpServerName,
  isMcpToolName,
  parseShownName,
  toMcpKind,
  toMcpReadKind,
  toShownName,
} from './mcp-name.ts'
export { listManifestPointers, parseManifest } from './parse-manifest.ts'
export { formatSecret, isSecretFormat } from './secret-format.ts'
export type {
  CommandExecutor,
  HttpExecutor,
  ManifestExecutor,
  McpExecutor,
  McpReadExecutor,
  SecretReference,
  ToolManifest,
} from './tool-manifest.ts'
