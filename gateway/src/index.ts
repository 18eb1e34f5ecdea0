/** The gateway: MCP clients in front, MCP servers behind, the kernel between. */
export { ARTIFACT_TOOLS, listArtifactTools } from './artifacts/artifact-tools.ts'
export { DELTA_EXAMPLES } from './artifacts/tool-words.ts'
export { createRemoteBehind, type RemoteBehind } from './behind/create-remote-behind.ts'
export {
  findSoleResourceServer,
  MCP_LISTS,
  type McpList,
  type ServersBehind,
} from './behind/servers-behind.ts'
export { loadMcpFile, type McpConfig, parseMcpConfig } from './config/mcp-file.ts'
export { type DefinitionChange, listDefinitionChanges } from './definition/definition-changes.ts'
export { findHiddenCharacters, showHiddenCharacters } from './definition/hidden-characters.ts'
export { computePin, parseDefinition, type ToolDefinition } from './definition/tool-definition.ts'
export { nameDayConversation, nameProcessConversation } from './front/conversation.ts'
export { createFront } from './front/create-front.ts'
export type { FrontOptions } from './front/front-options.ts'
export { createHttpFront, type HttpFront } from './front/http-front.ts'
export { serveFront } from './front/serve-front.ts'
export { serveStreams } from './front/serve-streams.ts'
export { approveTools, type ToolApproval } from './lock/approve-tools.ts'
export { changeLock } from './lock/change-lock.ts'
export { type ComparedTool, compareTools, type ToolState } from './lock/compare-tools.ts'
export {
  type ApprovalNote,
  formatLock,
  type LockedTool,
  loadLock,
  parseLock,
  type ToolLock,
} from './lock/lock-file.ts'
export {
  isToolClassName,
  TOOL_CLASSES,
  type ToolClass,
  type ToolClassName,
} from './lock/tool-class.ts'
export { computeToolHash } from './lock/tool-hash.ts'
export { type Gateway, openGateway } from './open-gateway.ts'
export { type Bounds, buildContract, type ContractOptions } from './setup/build-contract.ts'
export { buildFiles, type SetUpFiles } from './setup/build-files.ts'
export { type ClientFile, parseClientFile } from './setup/client-file.ts'
export { listClientPlaces } from './setup/client-places.ts'
export { hideInAddress, hideSecretArguments } from './setup/hidden-arguments.ts'
export { type InspectedServer, inspectServer } from './setup/inspect-server.ts'
export { applyNeeds } from './setup/learn/apply-needs.ts'
export { findNeeds, type KeptRefusal, type Need } from './setup/learn/find-needs.ts'
export { listObservedCalls, type ObservedCall } from './setup/learn/observed-call.ts'
export type { CallTreatment } from './setup/propose-tool.ts'
export { GATEWAY_NAME, hasGateway, rewriteClient } from './setup/rewrite-client.ts'
export { type TakenServer, takeServer } from './setup/take-server.ts'
export { isBoundName } from './setup/templates/server-template.ts'
export type { DriftedTool, TellDrift } from './upstream/mcp-hands.ts'
export type { Upstream } from './upstream/upstream.ts'
