/** Every limit of the kernel and the engine. A thing without a limit is a way in. */
export const LIMITS = {
  /** Strict JSON at every boundary. */
  json: { depth: 64, bytes: 262_144, keys: 4_096 },
  /** Identifiers: `[A-Za-z0-9._:@-]{1,128}`. */
  identifierLength: 128,
  /** Free text of an agent: kept verbatim, shown escaped, never read by a gate. */
  justificationLength: 16_384,
  /** How far ahead `valid_until` may lie: an agent that may ask for any time has no deadline. */
  deadlineHorizonMs: 86_400_000,
  /** How long an accepted intent may wait for its dispatch. */
  dispatchWithinMs: 30_000,
  /** How long an accepted intent holds its resources before it must be dispatched. */
  lockHoldMs: 20_000,
  /** The longest that a proposal waits for a resource. */
  lockWaitMs: 5_000,
  /** How often it looks meanwhile. */
  lockLookMs: 25,
  /** How old a snapshot may be when the contract does not say. */
  contextAgeMs: 900_000,
  /** What an agent is shown, in tokens, where its contract does not say. */
  contextTokens: 8_000,
  /** Whoever chooses a compensation is shown two facts about it: each has this part of those tokens, a quarter. */
  choiceShare: 4,
  /** The most tokens that a contract may declare. */
  contextTokensDeclared: 1_000_000,
  /** A snapshot, in bytes. */
  snapshotBytes: 131_072,
  /** Where that is more: so many bytes for each token of its budget. */
  snapshotTokenBytes: 16,
  /** Snapshots that are kept in memory, in bytes. */
  snapshotsBytes: 67_108_864,
  /** How often a flow is shown a new context. */
  refreshesPerFlow: 300,
  /** Of the session the newest events: notes, and what was proposed, decided and observed. */
  contextSessionEvents: 30,
  /** Of these at most so many notes. */
  contextNotes: 10,
  /** Of an agent's newest decisions, those among which a flow looks for its own. */
  contextDecisionsRead: 50,
  /** How old an event of the session may be to be shown. */
  contextWindowMs: 86_400_000,
  /** Of the agent's own decisions the latest. */
  contextMemoryEntries: 10,
  /** Of the pieces of documents the best. */
  contextArtifactChunks: 5,
  /** State paths that a flow asks for, once its patterns are written out. */
  contextStatePaths: 256,
  /** A word that stands in more pieces than this finds nothing that others would not find better. */
  artifactWordPlaces: 256,
  /** What an agent may look for at once; it is noted with what was found. */
  searchLength: 1_024,
  /** A note of the session: longer ones are documents. */
  noteLength: 16_384,
  /** Notes of one flow. */
  notesPerFlow: 20_000,
  /** Of an agent's own decisions so many are kept. */
  memoryKept: 1_000,
  /** The summary of each, in characters. */
  memorySummaryLength: 400,
  /** What was said in it (parameters, justification, result), in characters each. */
  memorySaidLength: 1_024,
  /** How far ahead of us the clock of whoever observes may be. */
  clockSkewMs: 2_000,
  /** The longest that a machine sleeps: a clock that was set further forward has to be confirmed. */
  clockStepMs: 604_800_000,
  /** How old an observation may be when it comes: what somebody kept is not news. */
  observationAgeMs: 86_400_000,
  /** An observation, as JSON. */
  observationBytes: 65_536,
  /** Observations in one request. */
  observationsAtOnce: 256,
  /** Sources of a tenant. */
  sources: 1_000,
  /** Patterns of paths of one source. */
  sourcePatterns: 256,
  /** Paths that one source may speak of. */
  sourcePaths: 100_000,
  /** Claims that an agent may have standing. */
  claimsPerAgent: 64,
  /** How long an operator's word stands in front of the owner's, where nobody says. */
  operatorWordMs: 3_600_000,
  /** The same, at most. */
  operatorWordMaxMs: 604_800_000,
  /** What an agent keeps for itself, as JSON. */
  agentStateBytes: 65_536,
  /** A reference document, in UTF-8. */
  artifactBytes: 1_048_576,
  /** Documents that an agent keeps for itself. */
  documentsPerAgent: 64,
  /** Those that wait to be written while another is. */
  documentsWaiting: 32,
  /** Of one asker. */
  documentsWaitingEach: 4,
  /** Pieces of a document that are read at once. */
  documentPieces: 256,
  /** Proposals that are judged in one flow: all that it did is looked through when one fails. */
  proposalsPerFlow: 1_000,
  /** The third final rejection ends the flow when the contract does not say. */
  intentRetries: 3,
  /** Measures in one report of usage. */
  usageMeasures: 16,
  /** Of one measure in one report, in its smallest unit. */
  usageUnits: 1_000_000_000_000,
  /** What opened a flow, where the runtime opens it. */
  triggerLength: 1_024,
  /** A timer fires no more often than this. */
  timerLeastMs: 1_000,
  /** The longest that a timer waits. */
  timerMostMs: 31_536_000_000,
  /** Timers that an agent sets for itself: nobody attends them. */
  timersPerAgent: 16,
  /** One of those fires no more often than this. */
  agentTimerLeastMs: 60_000,
  /** The longest silence that a watchdog may allow, in minutes. */
  watchdogMinutes: 10_080,
  /** How often silence is looked for. */
  watchdogEveryMs: 10_000,
  /** The longest window of an agent's budget, in seconds: 31 days. */
  windowS: 2_678_400,
  /** Refusals of an agent in an hour, where its contract does not say. */
  rejectionsPerHour: 100,
  /** Proposals to a flow that has ended which are still recorded. */
  lateProposals: 3,
  /** Transient refusals (contention, drift, overload) of a flow: they cost no try, and end it when there are so many. */
  transientRetries: 10,
  /** Chains of writs up to the issuer, and of agents up to the one that has no parent. */
  delegationDepth: 8,
  /** Scopes of one writ. */
  writScopes: 256,
  /** Limits of one contract. */
  contractLimits: 256,
  /** Policies of a runtime. */
  policies: 256,
  /** Policies that are text stand in the ledger as they are written: all of them, in characters. */
  policyTexts: 262_144,
  /** What all policies together may cost a decision, in steps of about four nanoseconds. */
  policySteps: 12_000_000,
  /** What holding values against the patterns of a contract and its writs may cost, in steps of about 30 nanoseconds. */
  patternSteps: 1_000_000,
  /** Characters of all expressions of a contract. */
  expressionLength: 4_096,
  /** States of all expressions of a contract, when they are compiled. */
  expressionStates: 4_096,
  /** What holding parameters against the schema of their capability may cost, in steps of about ten nanoseconds. */
  schemaSteps: 6_000_000,
  /** Schemas in one schema. */
  schemaParts: 1_000,
  /** Compiled schemas that a process keeps, of all tenants. */
  schemasKept: 256,
  /** States of all expressions in one schema. */
  schemaStates: 10_000,
  /** How long the rules before count after an upgrade of the software alone. */
  rulesOverlapMs: 3_600_000,
  /** The longest that an operator may let them count. */
  rulesOverlapMostMs: 86_400_000,
  /** An expression of a tool manifest: how deep, how large, over how many elements, on how long numbers and texts. */
  manifestExpression: { depth: 16, nodes: 128, elements: 1_024, digits: 34, compared: 1_048_576 },
  /** Parts of all expressions of one tool manifest. */
  manifestNodes: 1_024,
  /** Measures, resources, requirements, facts, headers, arguments and so on of one tool manifest, each. */
  manifestList: 64,
  /** A text in a tool manifest that stands for one value: an address, a header, an argument. */
  manifestTextLength: 2_048,
  /** How long the executor of a tool manifest may take. */
  manifestTimeoutMs: 600_000,
  /** Operations in one delta of World. */
  deltaOps: 256,
  /** The id of a resource, in characters. */
  resourceIdLength: 256,
  /** A path into parameters (a JSON pointer), in characters. */
  pointerLength: 512,
  /** Resources that one proposal may take. */
  resourcesPerProposal: 64,
  /** A flow's own writ lives this long. */
  flowWritMs: 86_400_000,
  /** How long a request waits, where the contract does not say, and what it may say. Unanswered, it aborts its flow. */
  approvalWindowMs: { usual: 3_600_000, least: 60_000, most: 86_400_000 },
  /** How much of that time a parent agent has before the next is asked. */
  parentMs: 300_000,
  /** How long somebody may have a request to themselves: a courtesy, not a lock. */
  claimMs: 900_000,
  /** Comments of people on one request. */
  commentsPerRequest: 100,
  /** One of them, in characters. */
  commentLength: 2_000,
  /** An approval of HIGH_IMPACT that comes sooner was given without reading. */
  highImpactDwellMs: 10_000,
  /** Modifications of one request that are kept as judged, for each person. */
  modificationsJudged: 16,
  /** What has to be typed before it, at most. */
  acknowledgementLength: 64,
  /** Requests of one agent that wait for approval. */
  approvalsWaiting: 100,
  /** The time in which escalations of an agent are counted. */
  escalationWindowMs: 3_600_000,
  /** Requests that are looked at for one page of a list. */
  escalationsLooked: 2_000,
  /** The third failure of its effects sends a flow to a person. */
  operationalFailures: 3,
  /** What an agent with so many successes has never done is unusual. */
  unusualAfterSuccesses: 10,
  /** An amount so many times as large as any before is unusual. */
  unusualFactor: 10,
  /** Of an agent's past so much is looked at when it escalates. */
  pastSuccesses: 10,
  /** Rows of an effect that whoever decides is shown. */
  previewRows: 32,
  /** Decisions on like requests that whoever decides is shown. */
  decisionsBefore: 50,
  /** How old those may be. */
  decisionsBeforeMs: 2_592_000_000,
  /** A name of a person, in characters. */
  personNameLength: 256,
  /** Names and logins of one person. */
  identitiesPerPerson: 32,
  /** People who may approve what an agent asks. */
  approvers: 32,
  /** How often a provider is asked about an uncertain effect. */
  probeAttempts: 5,
  /** How often an effect is sent again. */
  resendAttempts: 5,
  /** Uncertain effects that are looked into at the same time. */
  reconciledAtOnce: 64,
  /** Of these those of one kind. */
  reconciledOfOneKind: 16,
  /** A row of background work that failed so often in a row goes to a person. */
  rowFailures: 5,
  /** How long is waited before something is tried again; twice as long each time. */
  backoffBaseMs: 200,
  /** The longest of these waits. */
  backoffMaxMs: 30_000,
  /** Resending under a key stops this long before the provider forgets the key. */
  idempotencyMarginMs: 60_000,
  /** A process that another took for dead may still let go of a send for this long. */
  lateSendMs: 60_000,
  /** What a capability returns, as JSON. */
  resultBytes: 262_144,
  /** What is kept of words that somebody gives as a reason, or that an error says. */
  wordsLength: 1_024,
  /** How long a channel may take for a notice. */
  noticeMs: 10_000,
  /** How often a notice is tried. */
  noticeAttempts: 120,
  /** Notices that go to one channel at a time. */
  noticesAtOnce: 8,
  /** Notices that reached nobody: so many are kept. */
  noticesFailed: 1_000,
  /** Notification channels of a tenant. */
  channels: 50,
  /** How long a channel may take for one message, and for a test. */
  channelMs: 20_000,
  /** Notices that wait for one channel; what comes beyond is not kept, and the message says so. */
  channelWaiting: 1_000,
  /** Notices that stand in one message; of others it says how many. */
  channelListed: 20,
  /** The longest quiet time of a channel, in seconds. */
  channelQuietS: 86_400,
  /** What is read of the answer of a channel. */
  channelAnswerBytes: 65_536,
  /** Addressees of a mail. */
  channelAddressees: 20,
  /** How long a soft guard may take. */
  guardMs: 5_000,
  /** Questions to soft guards that are open at the same time. */
  guardQuestions: 256,
  /** Of open questions to soft guards, and of programs that run, one agent has at most one in so many. */
  agentShare: 4,
  /** What a soft guard may say, in characters. */
  guardWords: 1_024,
  /** Requests to models that come of one question to a soft guard or an auditor. */
  adviserQuestions: 4,
  /** What a soft guard or an auditor shows a model of a step, in characters. */
  adviserText: 32_768,
  /** How often an auditor is shown a step again while its model cannot be reached. */
  adviserAttempts: 20,
  /** What a model returns, as it comes, in bytes. */
  modelReplyBytes: 8_388_608,
  /** Of the body of an error of a provider so much is read. */
  modelErrorBytes: 16_384,
  /** How long a model may take for a reply. */
  modelMs: 120_000,
  /** Keys of all objects in a reply of a model, or in one event of its stream. */
  modelReplyKeys: 65_536,
  /** Tool calls in one reply of a model. */
  modelCalls: 128,
  /** Names that a provider gives: of a model, of a tool, of a call. */
  modelNameLength: 256,
  /** How often a model is asked again at most. */
  modelAttempts: 8,
  /** The longest that a provider may make us wait before that. */
  modelRetryAfterMs: 60_000,
  /** Requests to a model in one flow. */
  generationsPerFlow: 1_000,
  /** Those of one flow that wait for an answer at the same time. */
  generationsAtOnce: 4,
  /** Those of all flows in a process; beyond it the answer is OVERLOADED. */
  generationsInFlight: 256,
  /** Of these those of one agent. */
  generationsEach: 32,
  /** Messages of a request to a model. */
  modelMessages: 1_024,
  /** Tools that it offers. */
  modelTools: 128,
  /** What a model may be asked to generate, in tokens. */
  modelTokens: 1_000_000,
  /** Steps that a semantic auditor is shown at a time. */
  auditSteps: 20,
  /** How long it may take for them. */
  auditMs: 120_000,
  /** How long a session of an agent lasts. */
  sessionMs: 43_200_000,
  /** Sessions that an agent may have open. */
  sessionsPerAgent: 64,
  /** How long a session of a person lasts unused. */
  personIdleMs: 3_600_000,
  /** How long it lasts at most. */
  personSessionMs: 43_200_000,
  /** Sessions that a person may have open. */
  sessionsPerPerson: 16,
  /** How often it is noted that one is in use. */
  personSeenMs: 60_000,
  /** How long a sign-in with a provider (OpenID Connect) may take. */
  signInMs: 600_000,
  /** How long the provider may take for an answer. */
  oidcMs: 10_000,
  /** Bytes of an answer of the provider that are read. */
  oidcAnswerBytes: 1_048_576,
  /** How far the clock of the provider may be off. */
  oidcSkewMs: 30_000,
  /** How long a process waits for another one that changes who may ask. */
  peopleLockMs: 10_000,
  /** How far from now a handshake may have been signed. */
  handshakeMs: 60_000,
  /** Handshakes of one agent that are remembered meanwhile. */
  handshakesRemembered: 256,
  /** How far from now a request of an agent may have been signed. */
  proofMs: 60_000,
  /** Signed requests of one agent that are remembered meanwhile. */
  proofNonces: 100_000,
  /** Instances of one class that have not ended. */
  instancesPerClass: 1_000,
  /** Instances that one agent has spawned by proposal and that have not ended. */
  instancesPerSpawner: 64,
  /** Instances of one class that are spawned in an hour of the clock, by proposal. */
  instancesPerHour: 256,
  /** The contract of an instance, as JSON. */
  instanceContractBytes: 65_536,
  /** How long an instance lives at most. */
  instanceMs: 604_800_000,
  /** How long known agents are served while the registry cannot be reached. */
  manifestTtlMs: 60_000,
  /** The engine's queue: beyond it the answer is OVERLOADED, before anything is stored. */
  proposalsInFlight: 1_024,
  /** How often a unit of work is built again after a failed guard. */
  unitAttempts: 100,
  /** How long `propose` waits for the effect before it answers PENDING. */
  waitMs: 10_000,
  /** How often an agent that waits for a person looks whether there is an answer. */
  settledLookMs: 250,
  /** Requests of one principal in a second. */
  requestsPerSecond: 500,
  /** The same, at once after a pause. */
  requestsAtOnce: 1_000,
  /** Requests of one principal that are under way: some cost a thousand times as much as others. */
  requestsUnderWay: 64,
  /** Requests of one principal with more bytes than this are handled one after the other. */
  largeRequestBytes: 8_192,
  /** After one of those the next waits for as long as it took, and no longer than this. */
  largeRequestRestMs: 100,
  /** Once those that began in a turn of the loop took so long, other requests begin in the next. */
  requestTurnMs: 10,
  /** What takes long waits while new connections come, and no longer than this. */
  newcomersMs: 250,
  /** Requests in a second of one address, of whoever has not shown who they are. */
  strangersPerSecond: 10,
  /** The same, at once after a pause. */
  strangersAtOnce: 60,
  /** Lines of the log about who was refused, in a second; more are only counted. */
  refusalLinesPerSecond: 20,
  /** The same, at once after a pause. */
  refusalLinesAtOnce: 200,
  /** Principals, and addresses, that the server counts for. */
  principalsRemembered: 10_000,
  /** Connections of a server. */
  connections: 4_096,
  /** Connections of one address that is no proxy of ours; of IPv6 of its network of 64 bits. */
  connectionsEach: 512,
  /** Requests that wait on one connection for the answer before theirs; with more it is ended. */
  requestsPipelined: 16,
  /** For so long no other connection is opened from the address of one that was ended. */
  pipelinedShutMs: 10_000,
  /** Requests of one principal in a second to stop an agent, a contract or a writ, beside all others. */
  stopsPerSecond: 10,
  /** The same, at once after a pause. */
  stopsAtOnce: 100,
  /** How long a request may take to arrive. */
  requestMs: 30_000,
  /** How long its head may take. */
  requestHeadMs: 10_000,
  /** An answer of which nothing is taken is cut off when this has passed, or twice this. */
  answerStallMs: 30_000,
  /** How often requests that are late are looked for. */
  requestLookMs: 1_000,
  /** How long a connection stays on which nothing is asked. */
  keepAliveMs: 72_000,
  /** How long requests that are under way may take to end at shutdown. */
  drainMs: 20_000,
  /** Streams of events of a tenant. */
  eventStreams: 1_024,
  /** Streams of events of one principal. */
  eventStreamsEach: 64,
  /** How often new events are looked for. */
  eventLookMs: 200,
  /** A stream is written to at least so often. */
  eventBeatMs: 15_000,
  /** One that takes nothing for so long is cut off. */
  eventStallMs: 60_000,
  /** When whoever was cut off may come back. */
  eventRetryMs: 1_000,
  /** Of the latest events so many are remembered. */
  eventsRemembered: 4_096,
  /** Flows of which it is remembered whose they are. */
  eventFlows: 8_192,
  /** Events that are read at a time. */
  eventsPerPage: 256,
  /** A filter of events, in characters. */
  eventFilterLength: 4_096,
  /** Lookups that wait for the thread that answers them, a quarter of them of one asker; beyond it the answer is OVERLOADED. */
  lookupsWaiting: 1_024,
  /** Whether it is ready is found out no more often than this. */
  readinessMs: 1_000,
  /** How long a reply is kept for whoever asks again under the same key. */
  replyMs: 3_600_000,
  /** A larger reply is not kept. */
  replyBytes: 262_144,
  /** Rows of a list. */
  listed: 1_000,
  /** Characters of the notes in a page of them, which ends there. */
  listLength: 262_144,
  /** An agent explains itself so often in one flow. */
  explanationsPerFlow: 100,
  /** Monitors of a tenant. */
  monitors: 256,
  /** Agents that one monitor may watch. */
  monitorAgents: 256,
  /** Executions in the window of a monitor. */
  monitorWindowExecutions: 1_000_000,
  /** Days in the window of a monitor. */
  monitorWindowDays: 366,
  /** Below so many executions a monitor has nothing to say, where it does not say itself. */
  monitorMinSamples: 20,
  /** Bins of a distribution. */
  monitorBins: 64,
  /** What a baseline must at least count. */
  monitorBaseline: 10,
  /** The most that is kept of a watched text. */
  monitorTextLength: 64,
  /** Flows that a trip names; it counts all of them. */
  monitorFlowsNamed: 50,
  /** Executions that are kept in one record. */
  monitorBlockRows: 500,
  /** Executions that are looked at for a chart. */
  seriesSamples: 50_000,
  /** Points of a chart. */
  seriesPoints: 500,
  /** Its first points, between which a monitor was when all was well. */
  seriesBaseline: 20,
  /** Entries of authority that are searched for marks of a chart. */
  seriesEntries: 10_000,
  /** Marks of a chart. */
  seriesMarks: 200,
  /** A model that did not answer for so many executions is another one on a chart. */
  seriesModels: 50,
  /** Entries of the ledger over which a monitor is rehearsed beside a running engine. */
  rehearsedEntries: 50_000,
  /** A contract, a monitor or a policy that a person sends as text, in characters. */
  sourceLength: 65_536,
  /** Problems of a document that are named; more are counted. */
  documentProblems: 1_000,
  /** How much time of a core the drafts of one request may take. */
  draftMs: 2_000,
  /** How long one of them may run, on a machine that does other things first. */
  draftRunMs: 20_000,
  /** Drafts that wait for it. */
  draftsWaiting: 16,
  /** Of these those of one principal. */
  draftsWaitingEach: 4,
  /** How long that thread stays when nobody tries anything. */
  draftIdleMs: 60_000,
  /** Decisions that are judged again at a time. */
  pastDecisions: 1_000,
  /** Flows in which those are looked for. */
  pastFlows: 5_000,
  /** Flows that are looked through for one page of decisions. */
  pastFlowsListed: 2_000,
  /** Questions about past decisions at the same time. */
  pastQuestions: 2,
  /** Such questions that wait. */
  pastQuestionsWaiting: 32,
  /** Of these those of one asker. */
  pastQuestionsWaitingEach: 8,
  /** How long one may hold the thread at a time. */
  pastSliceMs: 5,
  /** After that the thread is left to others for as long as it was held, and no longer than this. */
  pastRestMs: 100,
  /** How long one may take. */
  pastQuestionMs: 30_000,
  /** Runs of leaves that are put into the directory of the ledger at a time. */
  leafBlocksPerRound: 16,
  /** The same, while there are proposals. */
  leafBlocksBusy: 2,
  /** Runs that one search looks through. */
  leafBlocksSearched: 4_096,
  /** Past Worlds that are remembered, by the resources in them. */
  worldResourcesKept: 500_000,
  /** Entries between two of those. */
  worldMomentEntries: 1_000,
  /** Entries that are searched at a time for those that changed a resource. */
  changesSearched: 16_384,
  /** Downloads of the ledger at the same time. */
  downloads: 8,
  /** Of these those of one principal. */
  downloadsEach: 4,
  /** Entries that are read at a time for them. */
  downloadEntries: 32,
  /** A search of the ledger, in characters. */
  queryLength: 1_024,
  /** Terms of such a search. */
  queryTerms: 16,
  /** A checkpoint is signed after so many entries at the latest. */
  checkpointEveryEntries: 1_000,
  /** And after this time, where there are new entries. */
  checkpointEveryMs: 10_000,
  /** Entries of the ledger that are read at a time. */
  entriesPerPage: 1_000,
  /** Characters of their payloads: when there are so many, no more entries are read with them. */
  pageLength: 1_048_576,
  /** Characters of the entries of a flow that is shown as a whole: what does not fit in is left out of it. */
  flowLength: 4_194_304,
  /** What is so short is left out only where there is as much of it again. */
  flowShortLength: 2_048,
  /** Entries, or notes, that are read before it is looked how long they are. */
  entriesPerStep: 16,
  /** Leaves of the ledger that a round of reading it again looks at. */
  scrubLeaves: 1_000,
  /** How often there is such a round. */
  scrubEveryMs: 5_000,
  /** When the whole ledger is read once more. */
  scrubPassEveryMs: 3_600_000,
  /** How long a request or a command of a manifest tool may take, where its manifest does not say. */
  toolMs: 20_000,
  /** How long connecting to one address of a tool may take. */
  toolConnectMs: 5_000,
  /** How long a tool's answer may make no progress. */
  toolIdleMs: 10_000,
  /** Addresses of one host that are tried before anything is sent. */
  toolAddresses: 4,
  /** The head of a tool's answer over HTTP. */
  toolHeadBytes: 16_384,
  /** Provisional answers (1xx) to a request of ours that are read; real servers send one or two. */
  provisionalAnswers: 16,
  /** What of a refusal by a tool is kept, in characters. */
  toolRefusalLength: 1_024,
  /** Programs that tools of a process run at the same time. */
  commandsAtOnce: 32,
  /** The arguments of a command, together, in characters. */
  commandArgumentsLength: 65_536,
  /** What a command says to its standard error. */
  commandErrorBytes: 65_536,
  /** How long a command has between SIGTERM and SIGKILL. */
  commandKillMs: 500,
  /** A shorter secret would be found by chance in what it is removed from. */
  secretShortest: 8,
  /** A secret, in characters. */
  secretLength: 16_384,
  /** How long an external command may take to give a secret. */
  secretMs: 5_000,
  /** Entries of one list of what tools may reach, and secrets that they may use. */
  toolAllowances: 256,
  /** A document in OpenAPI that manifests are drafted from. */
  openApi: { depth: 64, bytes: 8_388_608, keys: 524_288 },
  /** Schemas that one operation in OpenAPI comes to when its references are followed. */
  openApiSchemas: 4_096,
} as const
