export { LenientXmlReader, skipToXml } from './lenient-xml-reader.ts';
