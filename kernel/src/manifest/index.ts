/** Tools that are data. */
export { describeManifest, parseDescribedManifest } from './describe-manifest.ts'
export {
  buildManifestDelta,
  checkManifestPostcondition,
  judgeManifestProbe,
} from './manifest-effect.ts'
export { buildManifestLaw } from './manifest-law.ts'
export {
  isMcpServerName,
  isMcpToolName,
  parseShownName,
  toMcpKind,
  toShownName,
} from './mcp-name.ts'
export { listManifestPointers, parseManifest } from './parse-manifest.ts'
export type {
  CommandExecutor,
  HttpExecutor,
  ManifestExecutor,
  McpExecutor,
  SecretReference,
  ToolManifest,
} from './tool-manifest.ts'
