/** The limits of messages. */
export const messageLimits = {
  /** Kinds of readers for which a message in memory keeps its JSON. */
  kindsOfReaders: 3,
  /** Pages that an organization keeps compressed in memory. */
  sharedPages: 64,
  /** Bytes of an organization's pages that are kept compressed, with what tells them apart. */
  sharedPageBytes: 2 * 1024 * 1024,
  /** Bytes of such pages of all organizations of a node. */
  sharedPageBytesOfNode: 32 * 1024 * 1024,
  /** Characters of a message's texts beside its content, such as the names of many participants, with which its JSON is kept. */
  textsInMemory: 2_000,
  /** MiB of the texts of messages that are read together, as JSON, with their earlier versions and what others have added. */
  longestPageMib: 32,
  /** Characters of a message. A longer one is cut. */
  messageLength: 10_000,
  /** Characters of a topic. A longer one is cut. */
  topicLength: 60,
  /** People whom an event in the log lists. */
  calledInLog: 100,
  /** Readers for whom a notice is written in the first step. */
  readersPerStep: 1_000,
  /** Characters of a narrow as clients send it. */
  narrowLength: 50_000,
} as const
