/** Says why a source is not the XML that it should be. */
export class XmlFault extends Error {}
