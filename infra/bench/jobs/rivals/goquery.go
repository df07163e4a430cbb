// The work of the jobs benches as a bare loop of Go's net/http and goquery, which Colly is made of:
// goquery <url> <pages> <file> <lists|simple> <at once>. Writes what it takes to the file as JSON lines, and prints what the
// loop took: CPU and wall time.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/PuerkitoBio/goquery"
)

type record struct {
	Page int                    `json:"page"`
	Data map[string]interface{} `json:"data"`
}

func text(selection *goquery.Selection) string {
	return strings.Join(strings.Fields(selection.Text()), " ")
}

func first(found *goquery.Selection) interface{} {
	if found.Length() == 0 {
		return nil
	}
	return text(found.First())
}

func all(found *goquery.Selection) []string {
	texts := make([]string, 0, found.Length())
	found.Each(func(_ int, element *goquery.Selection) { texts = append(texts, text(element)) })
	return texts
}

func attribute(found *goquery.Selection, name string) interface{} {
	if value, exists := found.Attr(name); exists {
		return value
	}
	return nil
}

func links(document *goquery.Document) []string {
	urls := []string{}
	document.Find("a[href]").Each(func(_ int, element *goquery.Selection) { urls = append(urls, element.AttrOr("href", "")) })
	return urls
}

func simple(document *goquery.Document) map[string]interface{} {
	return map[string]interface{}{
		"title":       first(document.Find("title")),
		"heading":     first(document.Find("h1")),
		"lead":        first(document.Find("p")),
		"description": attribute(document.Find("meta[name=description]"), "content"),
		"charset":     attribute(document.Find("meta[charset]"), "charset"),
		"headings":    all(document.Find("h2")),
		"links":       links(document),
	}
}

func lists(document *goquery.Document) map[string]interface{} {
	items := []map[string]interface{}{}
	document.Find("li").Each(func(_ int, element *goquery.Selection) {
		items = append(items, map[string]interface{}{
			"text": first(element.Find("p")),
			"link": attribute(element.Find("a[href]"), "href"),
		})
	})
	return map[string]interface{}{
		"title":      first(document.Find("title")),
		"headings":   all(document.Find("h1, h2, h3")),
		"paragraphs": all(document.Find("p")),
		"links":      links(document),
		"code":       all(document.Find("code")),
		"items":      items,
	}
}

func read(client *http.Client, url string) (*goquery.Document, error) {
	response, err := client.Get(url)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	return goquery.NewDocumentFromReader(bufio.NewReader(response.Body))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func cpuMs(usage syscall.Rusage) float64 {
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e6
}

func main() {
	origin, fields := os.Args[1], map[string]func(*goquery.Document) map[string]interface{}{"lists": lists, "simple": simple}[os.Args[4]]
	pages, err := strconv.Atoi(os.Args[2])
	check(err)
	atOnce, err := strconv.Atoi(os.Args[5])
	check(err)
	file, err := os.Create(os.Args[3])
	check(err)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: atOnce}}
	numbers, records := make(chan int), make(chan record, atOnce)
	started := time.Now()

	var workers sync.WaitGroup
	for worker := 0; worker < atOnce; worker++ {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for page := range numbers {
				document, err := read(client, origin+strconv.Itoa(page))
				check(err)
				records <- record{page, fields(document)}
			}
		}()
	}
	go func() {
		for page := 0; page < pages; page++ {
			numbers <- page
		}
		close(numbers)
		workers.Wait()
		close(records)
	}()
	output := bufio.NewWriter(file)
	encoder := json.NewEncoder(output)
	for taken := range records {
		check(encoder.Encode(taken))
	}
	check(output.Flush())

	seconds := time.Since(started).Seconds()
	var usage syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	fmt.Printf(`{"cpuMs": %f, "seconds": %f, "peakBytes": %d}`+"\n", cpuMs(usage), seconds, usage.Maxrss*1024)
}
