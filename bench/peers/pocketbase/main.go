// Runs PocketBase as a Go framework, with its default settings. The command "fill" creates the collection of pets, its
// rows and a user, and prints the user's token.
package main

import (
	"fmt"
	"log"
	"os"
	"strconv"
	"strings"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/types"
	"github.com/spf13/cobra"
)

const pragmas = "?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=journal_size_limit(200000000)" +
	"&_pragma=synchronous(FULL)&_pragma=foreign_keys(ON)&_pragma=temp_store(MEMORY)&_pragma=cache_size(-32000)"

// Changes one default setting: each commit is synced to disk before the response is sent.
func connectDurably(path string) (*dbx.DB, error) {
	if strings.HasSuffix(path, "auxiliary.db") {
		return core.DefaultDBConnect(path)
	}
	return dbx.Open("sqlite", path+pragmas)
}

const insertPets = `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {:count})
	INSERT INTO pets (id, name, categoryId, status)
	SELECT printf('%015d', n), 'Animal ' || n, 1 + n % 100,
		CASE n % 3 WHEN 0 THEN 'available' WHEN 1 THEN 'pending' ELSE 'sold' END FROM numbers`

func createPets(app core.App) error {
	rule := types.Pointer(`@request.auth.id != ""`)
	pets := core.NewBaseCollection("pets")
	pets.ListRule, pets.ViewRule, pets.CreateRule = rule, rule, rule
	pets.Fields.Add(
		&core.TextField{Name: "name", Required: true, Max: 255},
		&core.NumberField{Name: "categoryId", Required: true, OnlyInt: true, Min: types.Pointer(1.0)},
		&core.SelectField{Name: "status", Required: true, MaxSelect: 1, Values: []string{"available", "pending", "sold"}},
	)
	pets.AddIndex("pets_by_status", false, "status, id", "")
	return app.Save(pets)
}

func fill(app core.App, count int) (string, error) {
	if err := app.RunAllMigrations(); err != nil {
		return "", err
	}
	if err := createPets(app); err != nil {
		return "", err
	}
	if _, err := app.NonconcurrentDB().NewQuery(insertPets).Bind(dbx.Params{"count": count}).Execute(); err != nil {
		return "", err
	}
	users, err := app.FindCollectionByNameOrId("users")
	if err != nil {
		return "", err
	}
	user := core.NewRecord(users)
	user.SetEmail("bench@example.com")
	user.SetRandomPassword()
	if err := app.Save(user); err != nil {
		return "", err
	}
	return user.NewAuthToken()
}

func main() {
	config := pocketbase.Config{HideStartBanner: true}
	if os.Getenv("PEER_DURABLE") == "yes" {
		config.DBConnect = connectDurably
	}
	app := pocketbase.NewWithConfig(config)
	app.RootCmd.AddCommand(&cobra.Command{
		Use:  "fill <count>",
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			count, err := strconv.Atoi(args[0])
			if err != nil {
				return err
			}
			token, err := fill(app, count)
			fmt.Println(token)
			return err
		},
	})
	if err := app.Start(); err != nil {
		log.Fatal(err)
	}
}
