/** For the packages of this repository: what they use of this folder. No promise to anybody else. */
export {
  type StartedProcess,
  sendToGroup,
  startProcess,
} from '../adapters/process/start-process.ts'
export { addTool } from './add-tool.ts'
export { type ConfigPath, type ConfigProblem, ConfigReader } from './config-reader.ts'
export { listDestinations, listSecretNames } from './describe-tool.ts'
export type { ManifestAnswer, ManifestCall, ManifestHands } from './hands.ts'
export { findAddressClass } from './http/address-class.ts'
export type { HttpAllowance } from './http/allowance.ts'
export { countProvisional } from './http/count-provisional.ts'
export { toLiteralAddress } from './http/host-name.ts'
export { type ConnectionOptions, openConnection } from './http/open-connection.ts'
export { type ResolveHost, resolveAllowed, resolveBySystem } from './http/resolve-host.ts'
export { type InspectedTool, inspectFile, inspectTools } from './inspect-tools.ts'
export { createNotSentError } from './not-sent.ts'
export { convertToolSchema } from './openapi/convert-tool-schema.ts'
export { draftOperations, readOperations, writeDrafts } from './openapi/import-operations.ts'
export { createRedaction, type Redaction } from './redaction.ts'
export { openSecretSource, readSecretOrigin, type SecretOrigin } from './secret-origin.ts'
